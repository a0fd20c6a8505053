package dev.mawashi.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.EachOf;
import dev.mawashi.wire.Payload;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.io.TempDir;

/// Real processes with OpenTelemetry's SDK, which prints the spans: what `mawashi push` enqueues is
/// run in the same trace, by each runner.
final class TracingIT {
    private static final String SDK =
            "-Dotel.java.global-autoconfigure.enabled=true -Dotel.traces.exporter=logging"
                    + " -Dotel.metrics.exporter=none -Dotel.logs.exporter=none"
                    + " -Dotel.bsp.schedule.delay=100";

    @TempDir Path folder;

    private static Map<String, String> traced(Workplace place) {
        Map<String, String> environment = new HashMap<>(Map.of("JAVA_TOOL_OPTIONS", SDK));
        environment.put("REDIS_URL", place.redisUrl());
        return environment;
    }

    @EachOf({"mri", "jruby", "fork"})
    void aRunIsInTheTraceOfThePush(String runner) {
        try (Workplace place = new Workplace(folder)) {
            Child push = place.mawashi(traced(place), "push", "PlainJob", "1");
            assertThat(push.awaitExit()).as(push::log).isZero();
            byte[] payload = place.bytes("LINDEX", "queue:default", "0");
            String parent = String.valueOf(Payload.parse(payload).text("traceparent"));
            assertThat(parent).matches("00-[0-9a-f]{32}-[0-9a-f]{16}-0[13]");

            Child server = place.run(traced(place), "-c", "1", "--runner", runner);
            place.await("it ran", () -> place.ledger().byJid("end").size() == 1);
            Pattern span =
                    Pattern.compile(
                            "'process PlainJob' : "
                                    + parent.substring(3, 35)
                                    + " [0-9a-f]{16} CONSUMER .*messaging.destination.name=\"?default");
            place.await("its span is there", () -> span.matcher(server.log()).find());
        }
    }
}
