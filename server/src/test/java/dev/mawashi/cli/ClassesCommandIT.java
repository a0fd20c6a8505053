package dev.mawashi.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.wire.MetricsShape;
import java.io.StringWriter;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// `mawashi classes` as it is called, on a real Redis.
final class ClassesCommandIT {
    @RegisterExtension static final CommandRig RIG = new CommandRig();

    private final RedisConnection redis = RIG.redis();
    private final StringWriter out = RIG.out();
    private final StringWriter err = RIG.err();

    private static int run(String... words) {
        return RIG.run(words);
    }

    private void ran(String jobClass, int processed, int failed, int bucket) {
        Instant now = Instant.now();
        String counts = MetricsShape.SEVEN.rollups(now).getLast().key();
        redis.call("HSET", counts, jobClass + "|p", "" + processed, jobClass + "|f", "" + failed);
        redis.call("HSET", counts, jobClass + "|ms", "1500");
        redis.call(
                "BITFIELD",
                MetricsShape.SEVEN.histogram(jobClass, now),
                "SET",
                "u16",
                "#" + bucket,
                "" + (processed - failed));
    }

    private void ranBy(String jobClass, String runner, int runs) {
        String key = MetricsShape.byRunner(Instant.now()).getLast().key();
        redis.call("HSET", key, jobClass + "|" + runner, "" + runs);
    }

    @Test
    void classesAreListedWithTheirRunTimes() {
        ran("Report", 20, 5, 0);
        ran("Mail\u001b[2J", 100, 0, 2);
        ranBy("Report", "mri", 15);
        ranBy("Report", "fork", 3);

        assertThat(run("classes")).isEqualTo(Main.DONE);
        assertThat(out.toString().lines().toList())
                .satisfiesExactly(
                        head -> assertThat(head).contains("class", "runs", "failed", "p95"),
                        most -> assertThat(most).contains("Mail?[2J", "100", "0.0 %", "1.5 s"),
                        next ->
                                assertThat(next)
                                        .contains("Report", "20", "25.0 %", "< 20 ms")
                                        .endsWith("mri 15, fork 3, elsewhere 2"));

        assertThat(run("classes", "--json")).isEqualTo(Main.DONE);
        assertThat(out.toString())
                .contains(
                        "{\"class\":\"Report\",\"processed\":20,\"failed\":5,\"millis\":1500,"
                                + "\"by_runner\":{\"mri\":15,\"fork\":3,\"elsewhere\":2},"
                                + "\"p50_ms\":20,\"p95_ms\":20,\"p99_ms\":20}");
    }

    @Test
    void oneClassShowsHowManyTookHowLong() {
        ran("Report", 20, 5, 0);

        assertThat(run("classes", "Report", "--period", "15m")).isEqualTo(Main.DONE);
        assertThat(out.toString()).contains("< 20 ms  15    " + "#".repeat(40));
        assertThat(run("classes", "Report", "--json")).isEqualTo(Main.DONE);
        assertThat(out.toString()).contains("\"histogram\":[15,0,");
    }

    @Test
    void aClassThatHasNotRunAndAPeriodThatIsNoneAreOneLine() {
        assertThat(run("classes")).isEqualTo(Main.DONE);
        assertThat(err.toString()).isEqualTo("no class has run in the last 1h\n");
        assertThat(run("classes", "Nope")).isEqualTo(Main.FAILED);
        assertThat(err.toString()).contains("Nope has not run").hasLineCount(1);
        assertThat(run("classes", "--period", "2h")).isEqualTo(Main.WRONG_USE);
        assertThat(err.toString()).contains("15m, 1h, 8h, 24h, 72h");
    }
}
