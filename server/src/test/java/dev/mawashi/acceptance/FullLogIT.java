package dev.mawashi.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.EachOf;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A server whose standard output and error are on a full disk, with a queue for each runner: jobs
/// run as if their log could be written.
final class FullLogIT {
    private static final String CONFIG =
            """
            runner: jruby
            queues:
              mri: { runner: mri, processes: 1, concurrency: 2 }
              fork: { runner: fork, concurrency: 2 }
            """;

    private static final List<String> QUEUES = List.of("jruby", "mri", "fork");
    private static final int JOBS = 200;

    @TempDir Path folder;

    private String[] command() throws IOException {
        Path app = Path.of(Workplace.APP).resolveSibling("full_log.rb");
        Path config = Files.writeString(folder.resolve("sidekiq.yml"), ":concurrency: 4\n");
        Files.writeString(folder.resolve("mawashi.yml"), CONFIG);
        return new String[] {
            "run",
            "-r",
            app.toString(),
            "-C",
            config.toString(),
            "-q",
            "jruby",
            "-q",
            "mri",
            "-q",
            "fork"
        };
    }

    private static byte[] job(String jobClass, String jid) {
        return "{\"class\":\"%s\",\"args\":[],\"jid\":\"%s\",\"created_at\":1795225660717}"
                .formatted(jobClass, jid)
                .getBytes(UTF_8);
    }

    @EachOf({"text", "json"})
    void aLogThatCannotBeWrittenChangesNoOutcome(String form) throws IOException {
        try (Workplace place = new Workplace(folder)) {
            Set<String> loud = new TreeSet<>();
            for (String queue : QUEUES) {
                place.push(queue, List.of(job("LoudFailure", "failure-" + queue)));
                place.push(queue, List.of(job("PrintingJob", "printing-" + queue)));
                List<String> jids =
                        IntStream.range(0, JOBS).mapToObj(i -> "loud-" + queue + i).toList();
                place.push(queue, jids.stream().map(jid -> job("LoudJob", jid)).toList());
                loud.addAll(jids);
            }
            place.push("fork", List.of(job("ElsewhereJob", "elsewhere-fork")));
            loud.add("elsewhere-fork");
            Child server =
                    place.mawashiInto("/dev/full", Map.of("MAWASHI_LOG_FORMAT", form), command());
            // Of what a child prints, the server's log is what cannot be written.
            loud.addAll(List.of("printing-mri", "printing-fork"));
            place.await(
                    "all have ended",
                    () ->
                            place.ledger().byJid("end").keySet().containsAll(loud)
                                    && place.ledger().lines("death").size() == 4);
            server.signal("TERM");
            assertThat(server.awaitExit()).isZero();

            assertThat(place.ledger().byJid("end")).containsOnlyKeys(loud);
            assertThat(place.ledger().byJid("end").values()).containsOnly(1L);
            assertThat(place.ledger().byJid("death"))
                    .containsOnlyKeys(
                            "failure-jruby", "failure-mri", "failure-fork", "printing-jruby");
            assertThat(place.ledger().lines("error"))
                    .extracting(line -> line.subject() + " " + line.jobClass())
                    .contains("failure-fork ArgumentError", "printing-jruby Errno::ENOSPC");
            assertThat(place.strings("KEYS", "retry")).isEmpty();
            assertThat(place.strings("KEYS", "mw:{*}:*")).isEmpty();
        }
    }

    /// Nothing to read, nowhere to print to, errors to a pipe that nobody reads, a folder to which
    /// nobody writes, no home, and an environment that nobody means. Long: three runners in one
    /// more server.
    @Tag("long")
    @Test
    void anOddPlaceIsNoReasonNotToWork() throws IOException {
        try (Workplace place = new Workplace(folder)) {
            Set<String> jids = new TreeSet<>();
            for (String queue : QUEUES) {
                List<String> some = IntStream.range(0, 20).mapToObj(i -> queue + i).toList();
                place.push(queue, some.stream().map(jid -> job("LoudJob", jid)).toList());
                jids.addAll(some);
            }
            Child server =
                    place.mawashiLimited(
                            "cd /proc; unset HOME; exec <&- >&- 2> >(:)",
                            Stream.concat(
                                            Stream.of(command()),
                                            Stream.of("-e", "../odd \"environment\""))
                                    .toArray(String[]::new));
            place.await("all have ended", () -> place.ledger().byJid("end").size() == jids.size());
            server.signal("TERM");

            assertThat(server.awaitExit()).isZero();
            assertThat(place.ledger().byJid("end")).containsOnlyKeys(jids);
            assertThat(place.ledger().byJid("end").values()).containsOnly(1L);
            assertThat(place.strings("KEYS", "mw:{*}:*")).isEmpty();
        }
    }
}
