package dev.mawashi.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.wire.MetricsShape;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

final class WaitsCommandIT {
    @RegisterExtension static final CommandRig RIG = new CommandRig();

    @Test
    void tellsHowLongJobsWaited() {
        assertThat(RIG.run("stats", "waits")).isEqualTo(Main.DONE);
        assertThat(RIG.out().toString()).isEmpty();
        assertThat(RIG.err().toString()).contains("no job was claimed in the last 15 minutes");

        String key = MetricsShape.waits(Instant.now()).key();
        RIG.redis().call("HSET", key, "0", "1200", "4", "34", "25", "20");
        assertThat(RIG.run("stats", "waits")).isEqualTo(Main.DONE);
        assertThat(RIG.out().toString()).containsPattern("1,254 +< 20 ms +< 20 ms +> 335 s");
        assertThat(RIG.run("stats", "waits", "--json")).isEqualTo(Main.DONE);
        assertThat(RIG.out().toString())
                .startsWith(
                        "{\"minutes\":15,\"jobs\":1254,\"p50_ms\":20,\"p95_ms\":20,\"p99_ms\":null,")
                .contains("\"histogram\":[1200,0,0,0,34,0,");
    }
}
