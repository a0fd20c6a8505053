package dev.mawashi.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.redis.RedisAddress;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import dev.mawashi.wire.QueueLayout;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;

/// The contract under a namespace, as a user of Redis whom it shows no other keys. Redis notes what
/// it refuses, also to scripts.
@Tag("stack")
class NamespacedBrokerIT extends RedisBrokerContract {
    private static final String PREFIX = "myapp:";
    private static final RedisServerForTests SERVER = new RedisServerForTests();
    private static final RedisConnection REDIS = SERVER.connect();

    private static RedisAddress address() {
        REDIS.call("ACL", "SETUSER", "app", "on", ">pw", "~" + PREFIX + "*", "&*", "+@all");
        String url = SERVER.url().replace("//", "//app:pw@");
        return RedisAddress.parse(url).withNamespace("myapp");
    }

    NamespacedBrokerIT() {
        super(REDIS, address(), QueueLayout.SIDEKIQ, PREFIX);
    }

    @AfterAll
    static void stopServer() {
        REDIS.close();
        SERVER.close();
    }

    @BeforeEach
    void forgetRefusals() {
        REDIS.call("ACL", "LOG", "RESET");
    }

    @AfterEach
    void noOtherKeyIsAskedFor() {
        assertThat((List<?>) REDIS.call("ACL", "LOG")).isEmpty();
        assertThat((List<?>) Objects.requireNonNull(REDIS.call("KEYS", "*")))
                .allSatisfy(key ->
                        assertThat(new String((byte[]) key, StandardCharsets.UTF_8))
                                .startsWith(PREFIX));
    }
}
