package dev.mawashi.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class KeysTest {
    @Test
    void publicKeysAreSidekiqs() {
        assertThat(List.of(Keys.QUEUES, Keys.SCHEDULE, Keys.RETRY, Keys.DEAD, Keys.PROCESSES))
                .containsExactly("queues", "schedule", "retry", "dead", "processes");
        assertThat(Keys.queue("low")).isEqualTo("queue:low");
        assertThat(Keys.process("host:1:abc")).isEqualTo("host:1:abc");
        assertThat(Keys.work("host:1:abc")).isEqualTo("host:1:abc:work");
        assertThat(Keys.workers("host:1:abc")).isEqualTo("host:1:abc:workers");
        assertThat(Keys.signals("host:1:abc")).isEqualTo("host:1:abc-signals");
        assertThat(Keys.daily(Keys.STAT_PROCESSED, "2026-11-21"))
                .isEqualTo("stat:processed:2026-11-21");
        assertThat(Keys.STAT_FAILED).isEqualTo("stat:failed");
    }

    @Test
    void ourKeysShareTheQueuesClusterSlot() {
        assertThat(Keys.arrivals("low", "me#0")).isEqualTo("mw:{queue:low}:arrivals:me#0");
        assertThat(Keys.leases("low")).isEqualTo("mw:{queue:low}:leases");
        assertThat(Keys.inflight("low", "h:1:n#0")).isEqualTo("mw:{queue:low}:inflight:h:1:n#0");
    }

    @Test
    void namesKeepTheirBytesBeyondAscii() {
        assertThat(Keys.bytes(Keys.queue("\u00e9"))).hasSize("queue:".length() + 2);
    }
}
