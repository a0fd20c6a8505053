package dev.mawashi.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Programs that jobs start and that outlive the server: nothing of it stays open in them.
final class LeftProgramsIT {
    private static final Pattern PORT = Pattern.compile("probes and metrics at \\S+:(\\d+)");
    private static final List<String> RUNNERS = List.of("jruby", "mri", "fork");
    private static final String CONFIG =
            """
            runner: jruby
            queues:
              mri: { runner: mri, processes: 1, concurrency: 1 }
              fork: { runner: fork, concurrency: 1 }
            """;
    private static final String APP =
            """
            require "sidekiq"
            class ProgramJob
              include Sidekiq::Worker
              def perform(file)
                File.write(file + ".new", spawn("exec sleep 600", pgroup: true).to_s)
                File.rename(file + ".new", file)
              end
            end
            """;

    @TempDir Path folder;

    @Test
    void thePortAndTheConnectionsOfAServerEndWithIt() throws IOException {
        Path app = Files.writeString(folder.resolve("programs.rb"), APP);
        Path config =
                Files.writeString(folder.resolve("sidekiq.yml"), ":queues: [default, mri, fork]\n");
        Files.writeString(folder.resolve("mawashi.yml"), CONFIG);
        List<ProcessHandle> programs = new ArrayList<>();
        try (Workplace place = new Workplace(folder)) {
            String[] command = {
                "run", "-r", app.toString(), "-C", config.toString(), "--health", "0"
            };
            Child server = place.mawashi(Workplace.NO_GEMS, command).awaitLog("working on");
            for (String runner : RUNNERS) {
                programs.add(program(place, runner));
            }
            Matcher port = PORT.matcher(server.log());
            assertThat(port.find()).isTrue();
            server.signal("TERM");
            assertThat(server.awaitExit()).as(server::log).isZero();

            assertThat(programs).allMatch(ProcessHandle::isAlive);
            for (ProcessHandle program : programs) {
                assertThat(new File("/proc/" + program.pid() + "/fd").list())
                        .containsExactlyInAnyOrder("0", "1", "2");
            }
            place.await(
                    "the test alone is connected",
                    () -> Workplace.text(place.bytes("CLIENT", "LIST")).lines().count() == 1);
            try (ServerSocket again =
                    new ServerSocket(
                            Integer.parseInt(port.group(1)),
                            1,
                            InetAddress.ofLiteral("127.0.0.1"))) {
                assertThat(again.isBound()).isTrue();
            }
        } finally {
            programs.forEach(ProcessHandle::destroyForcibly);
        }
    }

    private ProcessHandle program(Workplace place, String runner) throws IOException {
        Path told = folder.resolve(runner + ".pid");
        String job =
                "{\"class\":\"ProgramJob\",\"args\":[\"%s\"],\"jid\":\"%s\",\"created_at\":1795225660717}"
                        .formatted(told, runner);
        place.push(runner.equals("jruby") ? "default" : runner, List.of(job.getBytes(UTF_8)));
        place.await("the program of " + runner + " runs", () -> Files.exists(told));
        return ProcessHandle.of(Long.parseLong(Files.readString(told))).orElseThrow();
    }
}
