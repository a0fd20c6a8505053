package dev.mawashi.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Jobs on virtual threads, which share as many carriers as the machine has cores.
///
/// Long: all cores are kept busy until the watch acts; CarrierWatchTest has its steps.
@Tag("long")
final class VirtualThreadsIT {
    @TempDir Path folder;

    private Child run(Workplace place, int slots) throws IOException {
        Path config = Files.writeString(folder.resolve("sidekiq.yml"), ":timeout: 0.5\n");
        Files.writeString(folder.resolve("mawashi.yml"), "runner: jruby\nthreads: virtual\n");
        String[] flags = {"-C", config.toString(), "-c", Integer.toString(slots)};
        return place.run(Workplace.NO_GEMS, flags);
    }

    @Test
    void jobsThatComputeOnAllCoresStopNeitherOthersNorTheServer() throws IOException {
        int cores = Runtime.getRuntime().availableProcessors();
        try (Workplace place = new Workplace(folder)) {
            Child server = run(place, cores + 2);
            place.pushJobs(cores, "spin", "SpinJob", "[]");
            place.await(
                    "they hold all cores", () -> place.ledger().count("start", "SpinJob") == cores);
            place.pushJobs(20, "n", "PlainJob", "[]");
            place.await("others ran", () -> place.ledger().count("end", "PlainJob") == 20);

            Child cancel = place.mawashi(Workplace.NO_GEMS, "cancel", "spin0", "--wait", "60");
            assertThat(cancel.awaitExit()).as(cancel::log).isZero();
            assertThat(cancel.log()).contains("job spin0 was ended");

            server.signal("TERM");
            assertThat(server.awaitExit()).as(server::log).isZero();
            assertThat(place.inHandsOf(server)).isEmpty();
            assertThat(place.queued()).hasSize(cores - 1).doesNotContain("spin0");
        }
    }
}
