package dev.mawashi.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.Fuzz;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PayloadFuzzTest {
    @Test
    void anyBytesAreAPayloadOrMalformed() {
        Fuzz.run("payload parser", PayloadFuzzTest::parse);
    }

    private static void parse(Random random) {
        byte[] bytes = RandomJson.container(random).getBytes(UTF_8);
        if (random.nextInt(4) > 0) {
            bytes = Fuzz.mutated(bytes, random);
        }
        byte[] before = bytes.clone();
        try {
            Payload payload = Payload.parse(bytes);
            payload.text("jid");
            payload.integer("retry");
            payload.isTruthy("dead");
            Payload.parse(payload.with(Map.of("jid", "\"x\"")));
        } catch (MalformedPayload _) {
            // The only way in which it may fail.
        }
        assertThat(bytes).isEqualTo(before);
    }
}
