package dev.mawashi.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.EachOf;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Servers with a heap of 256 MB and a slot for each of many jobs of 15 MB.
@Tag("long")
final class LargeRunsIT {
    private static final String LARGE = "x".repeat(15 << 20);
    private static final int LASTING = 26;
    private static final int FAILING = 4;
    private static final int QUEUES = 32;

    @TempDir private Path folder;

    private static byte[] job(String jobClass, String first, String jid) {
        return "{\"class\":\"%s\",\"args\":[%s,\"%s\"],\"jid\":\"%s\",\"retry\":true,\"created_at\":1}"
                .formatted(jobClass, first, LARGE, jid)
                .getBytes(UTF_8);
    }

    @EachOf({"mri", "jruby"})
    void jobsThatDoNotFitIntoTheHeapTogetherRunAFewAtATime(String runner) {
        try (Workplace place = new Workplace(folder)) {
            for (int i = 0; i < LASTING; i++) {
                place.push("default", List.of(job("LargeGateJob", "\"gate\"", "long" + i)));
            }
            for (int i = 0; i < FAILING; i++) {
                place.push("default", List.of(job("LargeFlakyJob", "1", "flaky" + i)));
            }
            Child server = start(place, List.of("-c", "30", "--runner", runner));

            server.awaitLog("slots stay idle until jobs end");
            place.await("jobs run", () -> place.ledger().count("start", "LargeGateJob") > 0);
            assertThat(place.ledger().count("start", "LargeGateJob")).isLessThan(LASTING / 2);
            place.open("gate");

            place.await("all ran", () -> place.ledger().count("end", "LargeGateJob") == LASTING);
            place.await("all failed", () -> place.number("ZCARD", "retry") == FAILING);
            assertThat(place.ledger().count("start", "LargeGateJob")).isEqualTo(LASTING);
            server.signal("TERM");
            assertThat(server.awaitExit()).as(server::log).isZero();
            assertThat(server.log()).doesNotContain("OutOfMemory");
        }
    }

    private static Child start(Workplace place, List<String> flags) {
        List<String> command = new ArrayList<>(Programs.mawashiCommand("run", "-r", Workplace.APP));
        command.addAll(flags);
        command.add(command.indexOf("-cp"), "-Xmx256m");
        return place.start("mawashi", command, Workplace.NO_GEMS);
    }

    /// Each of the idle server's connections that wait for a job gets one at the same moment.
    @Test
    void jobsThatArriveInAllQueuesAtOnceDoNotFillTheHeap() {
        List<String> flags = new ArrayList<>(List.of("-c", "32", "--runner", "mri"));
        for (int i = 0; i < QUEUES; i++) {
            flags.addAll(List.of("-q", "q" + i));
        }
        try (Workplace place = new Workplace(folder)) {
            place.open("gate");
            Child server = start(place, flags);
            server.awaitLog("working on");

            String push = "for i = 0, 31 do redis.call('LPUSH', 'queue:q' .. i, ARGV[1]) end";
            place.bytes("EVAL", push, "0", new String(job("LargeGateJob", "\"gate\"", "1"), UTF_8));

            place.await("all ran", () -> place.ledger().count("end", "LargeGateJob") == QUEUES);
            assertThat(place.ledger().count("start", "LargeGateJob")).isEqualTo(QUEUES);
            server.signal("TERM");
            assertThat(server.awaitExit()).as(server::log).isZero();
        }
    }
}
