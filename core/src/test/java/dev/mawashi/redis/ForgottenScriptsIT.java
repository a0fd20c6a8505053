package dev.mawashi.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mawashi.Eventually;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/// A script that the server has forgotten is sent again, and run.
class ForgottenScriptsIT extends ProxiedConnection {
    private static final RedisServerForTests SERVER = new RedisServerForTests();

    ForgottenScriptsIT() {
        super(SERVER);
    }

    @AfterAll
    static void stopServer() {
        SERVER.close();
    }

    @Test
    void aForgottenScriptIsSentAgainInsideAPipeline() {
        Script script = Script.beside(getClass(), "/dev/mawashi/broker/lapsed.lua");
        List<byte[]> keys = List.of(RedisConnection.utf8("none"));
        for (int i = 0; i < 3; i++) {
            direct("SCRIPT", "FLUSH");
            connection.queue(words("ECHO", "a"));
            connection.queueEval(script, keys, List.of());
            connection.queueEval(script, keys, List.of());
            connection.queue(words("ECHO", "b"));

            List<@Nullable Object> replies = connection.flush();

            assertThat(text(replies.get(0))).isEqualTo("a");
            assertThat(replies.subList(1, 3)).containsExactly(List.of(), List.of());
            assertThat(text(replies.get(3))).isEqualTo("b");
        }
    }

    @Test
    void aUserThatMayLoadScriptsAndNotSendThemRunsThem() {
        direct("ACL", "SETUSER", "loads", "on", ">pw", "~*", "+@all", "-eval");
        Script script = Script.beside(getClass(), "/dev/mawashi/broker/lapsed.lua");
        List<byte[]> keys = List.of(RedisConnection.utf8("none"));
        direct("SCRIPT", "FLUSH");
        String address = SERVER.url().replace("redis://", "redis://loads:pw@");
        try (RedisConnection redis =
                new RedisConnection(RedisAddress.parse(address), "test", Duration.ofSeconds(30))) {
            assertThat(redis.eval(script, keys, List.of())).isEqualTo(List.of());
            direct("ACL", "SETUSER", "loads", "-script|load");
            direct("SCRIPT", "FLUSH");
            assertThatThrownBy(() -> redis.eval(script, keys, List.of()))
                    .hasMessageContaining("'eval'");
        }
    }

    /// A large argument takes the server several reads, and others' commands come in between.
    @Test
    void aScriptThatIsForgottenAllTheTimeIsRunAllTheSame() {
        Script script = Script.beside(getClass(), "/dev/mawashi/broker/lapsed.lua");
        List<byte[]> keys = List.of(RedisConnection.utf8("none"));
        AtomicBoolean isOver = new AtomicBoolean();
        Thread forgetting =
                Thread.ofPlatform()
                        .name("mawashi-test-1")
                        .start(() -> {
                            try (RedisConnection redis = SERVER.connect()) {
                                while (!isOver.get()) {
                                    redis.call("SCRIPT", "FLUSH");
                                }
                            }
                        });
        try (RedisConnection other = SERVER.connect()) {
            for (int i = 0; i < 100; i++) {
                assertThat(other.eval(script, keys, List.of(new byte[1 << 20])))
                        .isEqualTo(List.of());
            }
        } finally {
            isOver.set(true);
            Eventually.until("it has stopped", END_MAX, () -> !forgetting.isAlive());
        }
    }
}
