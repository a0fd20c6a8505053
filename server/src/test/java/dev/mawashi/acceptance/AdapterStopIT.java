package dev.mawashi.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.EachOf;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/// Jobs that end between two steps by what ActiveJob's adapter for Sidekiq answers, as those of
/// `ActiveJob::Continuable` do.
@Tag("stack")
final class AdapterStopIT {
    private static final String APP =
            Path.of(Workplace.APP).resolveSibling("adapter_stop.rb").toString();

    @TempDir Path folder;

    @EachOf({"mri", "fork"})
    void theAdapterSaysThatTheServerIsQuiet(String runner) {
        try (Workplace place = new Workplace(folder)) {
            place.pushJobs(2, "asks", "AskingJob", "[]");
            Child server = place.mawashi(Map.of(), "run", "-r", APP, "--runner", runner, "-c", "2");
            place.await("they ask", () -> place.ledger().count("start", "AskingJob") == 2);
            assertThat(place.ledger().count("end", "AskingJob")).isZero();

            server.signal("TSTP");

            place.await("they end", () -> place.ledger().count("end", "AskingJob") == 2);
            server.signal("TERM");
            assertThat(server.awaitExit()).as(server::log).isZero();
        }
    }
}
