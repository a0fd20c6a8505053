package dev.mawashi.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// How deep jobs recurse in a real server: on JRuby, on threads of both kinds, at least as deep as
/// on MRI.
final class DepthIT {
    private static final Path FLAGS = Path.of("../bin/jvm-flags.sh");
    private static final String CONFIG =
            """
            runner: jruby
            queues:
              virtual: { threads: virtual, concurrency: 1 }
              mri: { runner: mri, processes: 1, concurrency: 1 }
            """;
    private static final String APP =
            """
            require "sidekiq"
            class DepthJob
              include Sidekiq::Worker
              def perform(file)
                File.write(file + ".new", deeper(8_000))
                File.rename(file + ".new", file)
              end

              def deeper(levels) = levels == 0 ? 0 : 1 + deeper(levels - 1)
            end
            """;

    @TempDir Path folder;

    @Test
    void jobsRecurseAsDeepAsOnMri() throws IOException {
        Path app = Files.writeString(folder.resolve("depth.rb"), APP);
        Path config =
                Files.writeString(
                        folder.resolve("sidekiq.yml"), ":queues: [default, virtual, mri]\n");
        Files.writeString(folder.resolve("mawashi.yml"), CONFIG);
        try (Workplace place = new Workplace(folder)) {
            String[] command = {"run", "-r", app.toString(), "-C", config.toString()};
            Child _ = place.mawashi(Workplace.NO_GEMS, command).awaitLog("working on");
            for (String queue : List.of("default", "virtual", "mri")) {
                Path told = folder.resolve(queue + ".txt");
                String job =
                        "{\"class\":\"DepthJob\",\"args\":[\"%s\"],\"jid\":\"%s\",\"created_at\":1795225660717}"
                                .formatted(told, queue);
                place.push(queue, List.of(job.getBytes(UTF_8)));
                place.await("it ran in " + queue, () -> Files.exists(told));
                assertThat(told).as(queue).hasContent("8000");
            }
        }
    }

    /// The tests start the server without the script.
    @Test
    void theScriptGivesTheServerAsMuchStack() throws IOException {
        assertThat(Files.readString(FLAGS)).contains(" -Xss16m\n");
    }
}
