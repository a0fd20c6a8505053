package dev.mawashi.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.EachOf;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.io.TempDir;

/// Jobs with locks of the gem sidekiq-unique-jobs, which no Debian has: what keeps its reaper from
/// locks finds each job that a server has in hand. `unique_jobs_test.rb` has the reaper.
final class UniqueJobsGemIT {
    private static final Path RUBY = Path.of("../ruby/src/main/ruby").toAbsolutePath();
    private static final String PRINT = "puts Mawashi::InHand.digests.sort";
    private static final int JOBS = 8;
    private static final int SLOTS = 4;

    @TempDir Path folder;

    @EachOf({"mri", "jruby", "fork"})
    void jobsInHandAreFound(String runner) {
        try (Workplace place = new Workplace(folder)) {
            place.push("default", IntStream.range(0, JOBS).mapToObj(UniqueJobsGemIT::job).toList());
            Child server =
                    place.run(
                            Workplace.NO_GEMS,
                            "-c",
                            Integer.toString(SLOTS),
                            "--processes",
                            "1",
                            "--runner",
                            runner);
            // No beat shows the first of them as running yet.
            place.await("they begin", () -> place.ledger().count("start", "GateJob") == SLOTS);
            place.await("none is given back", () -> place.inHandsOf(server).size() == SLOTS);
            assertThat(found(place)).isEqualTo(digests(SLOTS));

            server.signal("KILL");
            assertThat(server.awaitExit()).isNotZero();
            assertThat(found(place)).isEqualTo(digests(SLOTS));
        }
    }

    private static List<String> found(Workplace place) {
        return place.ruby("found", "-I" + RUBY, "-rsidekiq", "-rmawashi/unique_jobs", "-e", PRINT);
    }

    private static List<String> digests(int jobs) {
        return IntStream.range(0, jobs).mapToObj(number -> "uniquejobs:" + number).toList();
    }

    private static byte[] job(int number) {
        return "{\"class\":\"GateJob\",\"args\":[\"gate\"],\"jid\":\"%d\",\"lock_digest\":\"uniquejobs:%d\"}"
                .formatted(number, number)
                .getBytes(UTF_8);
    }
}
