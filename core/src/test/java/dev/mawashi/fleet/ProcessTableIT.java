package dev.mawashi.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.redis.FreshRedis;
import dev.mawashi.wire.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// What a beat leaves in Redis, and what it takes from there.
class ProcessTableIT {
    @RegisterExtension static final FreshRedis REDIS = new FreshRedis();

    private static final Instant NOW = Instant.ofEpochSecond(1_795_225_700L, 123_456_789L);
    private static final String ID = "box:42:abcdefabcdef";

    private static ProcessBeat beat(boolean isQuiet, List<WorkEntry> work) {
        JsonObject none = JsonObject.of("{}");
        return new ProcessBeat(
                new ProcessRecord(
                        ID,
                        ProcessInfo.of(none),
                        1,
                        work.size(),
                        Optional.of(NOW),
                        1,
                        isQuiet,
                        1,
                        "",
                        true,
                        MawashiFigures.of(none)),
                work);
    }

    @Test
    void aBeatTellsWhetherThereWasNoRecord() {
        ProcessBeat beat = beat(false, List.of());
        try (ProcessTable table = new ProcessTable(REDIS.server().connect())) {
            assertThat(table.beat(beat).isNew()).isTrue();
            assertThat(table.beat(beat).isNew()).isFalse();
            REDIS.call("DEL", ID);
            assertThat(table.beat(beat).isNew()).isTrue();
        }
    }

    @Test
    void whatNoLongerRunsLeavesTheRecord() {
        WorkEntry work =
                new WorkEntry(
                        "a",
                        "low",
                        new byte[] {'{', '}'},
                        Optional.of(Instant.ofEpochSecond(5)),
                        new WorkEntry.Place("mri", "", 7),
                        "");
        try (ProcessTable table = new ProcessTable(REDIS.server().connect())) {
            table.beat(beat(false, List.of(work)));
            assertThat(REDIS.call("HLEN", ID + ":work")).isEqualTo(1L);

            table.beat(beat(true, List.of()));
        }
        assertThat(REDIS.call("EXISTS", ID + ":work", ID + ":workers")).isEqualTo(0L);
        assertThat(REDIS.text("HGET", ID, "quiet")).isEqualTo("true");
    }
}
