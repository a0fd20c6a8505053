package dev.mawashi.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.redis.AnsweringServer;
import dev.mawashi.redis.GuideAcl;
import dev.mawashi.redis.RedisAddress;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// What a user of Redis lacks is named before jobs meet it.
final class RightsIT {
    private static final Path SCRIPTS = Path.of("src/main/resources/dev/mawashi/broker");
    private static final Pattern CALLED = Pattern.compile("redis\\.p?call\\(\\s*'([A-Za-z]+)'");

    private static List<String> missing(RedisAddress user) {
        RedisConnection connection = new RedisConnection(user, "test", Duration.ofSeconds(30));
        return Rights.missing(connection, user.keyPrefix());
    }

    @Test
    void eachCommandAndKeyThatAUserLacksIsNamedAndNothingIsDone() {
        try (RedisServerForTests server = new RedisServerForTests();
                RedisConnection admin = server.connect()) {
            RedisAddress user = GuideAcl.makeServer(admin, server.address());
            assertThat(missing(user)).isEmpty();
            assertThat(missing(server.address())).isEmpty();

            admin.call("ACL", "SETUSER", "mawashi", "-ttl", "-eval", "-blmove");
            assertThat(missing(user)).containsExactlyInAnyOrder("+eval", "+ttl", "+blmove");
            for (String command : Rights.commands()) {
                admin.call("ACL", "SETUSER", "mawashi", "+@all", "-" + command);
                assertThat(missing(user)).containsExactly("+" + command);
            }
            admin.call("ACL", "SETUSER", "mawashi", "+@all", "-multi");
            assertThat(missing(user)).containsExactly("+multi");
            admin.call("ACL", "SETUSER", "mawashi", "+@all", "resetkeys", "~mw:*", "~dead");
            assertThat(missing(user)).contains("~queue:*", "~retry").doesNotContain("~dead");
            assertThat(admin.call("DBSIZE")).isEqualTo(0L);
        }
    }

    @Test
    void keysOfANamespaceAreNamedWithIt() {
        try (RedisServerForTests server = new RedisServerForTests();
                RedisConnection admin = server.connect()) {
            RedisAddress user = GuideAcl.makeServer(admin, server.address());
            RedisAddress address = user.withNamespace("myapp");
            admin.call("ACL", "SETUSER", "mawashi", "resetkeys", "~myapp:*");
            assertThat(missing(address)).isEmpty();

            admin.call("ACL", "SETUSER", "mawashi", "resetkeys", "~myapp:mw:*", "~queue:*");
            assertThat(missing(address)).contains("~myapp:queue:*").doesNotContain("~myapp:mw:*");
        }
    }

    @Test
    void whoKnowsNoTransactionsIsNotAsked() {
        try (AnsweringServer server =
                new AnsweringServer(command ->
                        command.contains("HELLO")
                                ? AnsweringServer.LOGGED_IN
                                : "-ERR unknown command\r\n")) {
            assertThat(missing(server.address())).isEmpty();
        }
    }

    @Test
    void eachCommandOfAScriptIsAskedFor() throws IOException {
        Set<String> called = new TreeSet<>();
        try (Stream<Path> files = Files.list(SCRIPTS)) {
            for (Path file : files.toList()) {
                CALLED.matcher(Files.readString(file))
                        .results()
                        .forEach(found -> called.add(found.group(1).toLowerCase(Locale.ROOT)));
            }
        }

        assertThat(called).hasSizeGreaterThan(20);
        assertThat(Rights.commands()).containsAll(called);
    }
}
