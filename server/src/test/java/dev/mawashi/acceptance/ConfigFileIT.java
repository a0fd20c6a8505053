package dev.mawashi.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `config/sidekiq.yml` as an app has it: what it says is what a real process does.
final class ConfigFileIT {
    private static final String CONFIG =
            """
            :concurrency: 1
            :timeout: 0.5
            :tag: <%= "shop-" + "eu" %>
            :labels: [reliable]
            :max_retries: 0
            production:
              :concurrency: <%= ENV.fetch("POOL") %>
            :queues:
              - [high, 2]
              - low,1
            :capsules:
              slow:
                concurrency: 1
                queues: [slow]
            """;

    @TempDir Path folder;

    private static void push(Workplace place, String queue, String jobClass, int count) {
        List<byte[]> payloads = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String payload =
                    "{\"class\":\"%s\",\"args\":[],\"jid\":\"%s%d\",\"retry\":true,\"created_at\":1795225660717}"
                            .formatted(jobClass, queue, i);
            payloads.add(payload.getBytes(UTF_8));
        }
        place.push(queue, payloads);
    }

    @Test
    void queuesCapsulesAndLimitsOfTheFileAreThoseOfTheProcess() throws IOException {
        Path config = Files.writeString(folder.resolve("shop.yml.erb"), CONFIG);
        try (Workplace place = new Workplace(folder)) {
            push(place, "high", "PlainJob", 300);
            push(place, "low", "PlainJob", 300);
            push(place, "slow", "PlainJob", 300);
            push(place, "other", "PlainJob", 1);
            push(place, "high", "NoSuchJob", 1);

            Child server =
                    place.run(Map.of("POOL", "3"), "-C", config.toString(), "-e", "production");
            Ledger ledger = place.ledger();
            place.await("all jobs run", () -> ledger.byJid("end").size() == 900);
            server.awaitLog(
                    "working on high,2, low,1 with 3 slots (capsule default); slow with 1 slot"
                            + " (capsule slow)");
            place.await(
                    "the process is seen", () -> !place.strings("SMEMBERS", "processes").isEmpty());
            String identity = Workplace.text(place.strings("SMEMBERS", "processes").getFirst());
            place.await("its record", () -> place.number("EXISTS", identity) == 1);
            String info = Workplace.text(place.strings("HMGET", identity, "info").getFirst());

            assertThat(ledger.byJid("end").values()).containsOnly(1L);
            assertThat(info)
                    .contains(
                            "\"tag\":\"shop-eu\"",
                            "\"labels\":[\"mawashi\",\"reliable\"]",
                            "\"concurrency\":4",
                            "\"capsules\":{\"default\":{\"concurrency\":3,\"mode\":\"weighted\","
                                    + "\"weights\":{\"high\":2,\"low\":1}},\"slow\":{\"concurrency\":1,"
                                    + "\"mode\":\"strict\",\"weights\":{\"slow\":0}}}");
            assertThat(place.number("LLEN", "queue:other")).isOne();
            place.await("no retry is left to it", () -> place.number("ZCARD", "dead") == 1);
            server.signal("TERM");
            assertThat(server.awaitExit()).as(server::log).isZero();
        }
    }

    @Test
    void aFileThatCannotBeMeantIsOneLine() throws IOException {
        Path config = Files.writeString(folder.resolve("bad.yml"), "queues: default\n");
        try (Workplace place = new Workplace(folder)) {
            Child server = place.runOnMri(Workplace.NO_GEMS, "-C", config.toString());

            assertThat(server.awaitExit()).as(server::log).isOne();
            assertThat(server.logLines())
                    .singleElement()
                    .asString()
                    .isEqualTo(
                            "mawashi: queues in %s must be a list, or weights by name, not \"default\""
                                    .formatted(config));
        }
    }
}
