package dev.mawashi.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

final class NamespaceIT {
    @RegisterExtension static final FreshRedis REDIS = new FreshRedis();

    private static final Pattern WORD = Pattern.compile("\"([A-Z]{3,})[ \"]");

    /// Those of the sources that are commands too, and stand for something else.
    private static final Set<String> OTHERS =
            Set.of("AUTH", "COMMAND", "DEBUG", "READONLY", "ROLE");

    private static RedisConnection connect(String namespace) {
        RedisAddress address = REDIS.server().address();
        return new RedisConnection(
                namespace.isEmpty() ? address : address.withNamespace(namespace),
                "test",
                Duration.ofSeconds(30));
    }

    private static Set<String> names(@Nullable Object reply) {
        Set<String> names = new TreeSet<>();
        for (Object name : (List<?>) Objects.requireNonNull(reply)) {
            names.add(FreshRedis.text(name));
        }
        return names;
    }

    /// First and last key as Redis has them: 0 and 0 for none, the last from the end if below 0.
    private static Map<String, List<Long>> commands() {
        Map<String, List<Long>> commands = new TreeMap<>();
        for (Object one : (List<?>) Objects.requireNonNull(REDIS.call("COMMAND"))) {
            List<?> info = (List<?>) one;
            String name = FreshRedis.text(info.get(0)).toUpperCase(Locale.ROOT);
            commands.put(name, List.of((Long) info.get(3), (Long) info.get(4)));
        }
        return commands;
    }

    private static Set<String> sent() throws IOException {
        Set<String> words = new TreeSet<>();
        for (String module : List.of("core", "web", "server", "mcp", "ruby")) {
            try (Stream<Path> files = Files.walk(Path.of("..", module, "src/main/java"))) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    WORD.matcher(Files.readString(file))
                            .results()
                            .forEach(found -> words.add(found.group(1)));
                }
            }
        }
        words.removeAll(OTHERS);
        return words;
    }

    @Test
    void thePlacesOfTheKeysAreKnownOfEachCommandThatIsSent() throws IOException {
        Map<String, List<Long>> commands = commands();
        Set<String> sent = sent();
        sent.retainAll(commands.keySet());

        assertThat(sent).hasSizeGreaterThan(40);
        assertThat(sent)
                .allSatisfy(verb ->
                        assertThat(KeyPlaces.of(RedisCalls.words(verb, "2", "2", "c", "d")))
                                .as(verb)
                                .isPresent());
    }

    /// Those whose number of keys is a word, and those with a word before the key, are in the other
    /// tests.
    @Test
    void thePlacesAreThoseThatRedisKnows() throws IOException {
        Map<String, List<Long>> commands = commands();
        commands.keySet().retainAll(sent());
        commands.keySet()
                .removeAll(Set.of("EVAL", "EVALSHA", "ZUNION", "MEMORY", "SUBSCRIBE", "SCAN"));

        commands.forEach((verb, keys) -> {
            byte[][] words = RedisCalls.words(verb, "a", "b", "c", "d");
            int first = keys.get(0).intValue();
            int last = keys.get(1).intValue();
            KeyPlaces expected =
                    first == 0
                            ? new KeyPlaces(1, 1)
                            : new KeyPlaces(first, (last < 0 ? words.length + last : last) + 1);
            assertThat(KeyPlaces.of(words)).as(verb).contains(expected);
        });
    }

    @Test
    void aCommandOfUnknownPlacesIsNotSent() {
        try (RedisConnection redis = connect("myapp")) {
            assertThatThrownBy(() -> redis.call("GETDEL", "a"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("the keys of GETDEL are not known");
        }
    }

    @Test
    void eachKeyOfACommandHasThePrefix() {
        try (RedisConnection redis = connect("myapp")) {
            redis.call("SET", "a", "1");
            redis.call("LPUSH", "mw:{queue:q}:arrivals", "x");
            redis.call("LMOVE", "mw:{queue:q}:arrivals", "queue:q", "LEFT", "LEFT");
            redis.call("ZADD", "x", "1", "m");
            redis.call("ZADD", "y", "2", "m");
            redis.call("EXPIRE", "x", "100");

            assertThat(names(REDIS.call("KEYS", "*")))
                    .containsExactly("myapp:a", "myapp:queue:q", "myapp:x", "myapp:y");
            assertThat(redis.call("EXISTS", "a", "x", "y", "myapp:a")).isEqualTo(3L);
            assertThat(redis.call("MEMORY", "USAGE", "a", "SAMPLES", "0")).isNotNull();
            assertThat((List<?>) redis.call("ZUNION", "2", "x", "y", "WITHSCORES"))
                    .map(FreshRedis::text)
                    .containsExactly("m", "3");
            redis.call("UNLINK", "a", "x", "y", "queue:q");
            assertThat(names(REDIS.call("KEYS", "*"))).isEmpty();
        }
    }

    @Test
    void scriptsGetTheirKeysWithItAlsoWhereRedisHasForgottenThem() {
        Script script = Script.beside(NamespaceIT.class, "/dev/mawashi/broker/forget.lua");
        REDIS.call("SADD", "myapp:served", "q");
        List<byte[]> keys = Stream.of("served", "l", "a", "s").map(RedisConnection::utf8).toList();
        List<byte[]> args = List.of(RedisConnection.utf8("q"));
        try (RedisConnection redis = connect("myapp")) {
            assertThat(redis.eval(script, keys, args)).isEqualTo(1L);
            REDIS.call("SADD", "myapp:served", "q");
            redis.send(script, keys, args);
            assertThat(redis.awaitReply()).isEqualTo(1L);
        }
    }

    @Test
    void keysInRepliesHaveNone() {
        REDIS.call("SET", "mw:other", "1");
        REDIS.call("SET", "other:mw:a", "1");
        try (RedisConnection redis = connect("myapp")) {
            redis.call("SET", "mw:a", "1");
            redis.call("SET", "b", "1");
            redis.call("RPUSH", "list", "myapp:value");

            assertThat(
                            names(
                                    ((List<?>)
                                                    Objects.requireNonNull(
                                                            redis.call(
                                                                    "SCAN", "0", "MATCH", "mw:*",
                                                                    "COUNT", "1000")))
                                            .get(1)))
                    .containsExactly("mw:a");
            assertThat(
                            (List<?>)
                                    redis.callBlocking(
                                            Duration.ofSeconds(5),
                                            RedisCalls.words("BLPOP", "none", "list", "5")))
                    .map(FreshRedis::text)
                    .containsExactly("list", "myapp:value");
        }
    }

    @Test
    void aWatchNamesKeysWithoutIt() {
        KeyReports reports = new KeyReports(connect("myapp"), () -> connect("myapp"));
        try (KeyWatch watch = reports.watch("a"::equals)) {
            RedisConnection reader = watch.connection();
            while (!watch.track()) {
                watch.await(Duration.ofMillis(20));
            }
            reader.call("GET", "a");
            watch.takeChanges();
            REDIS.call("SET", "myapp:a", "2");

            KeyWatch.Changes changes = watch.takeChanges();
            while (changes.keys().isEmpty()) {
                watch.await(Duration.ofSeconds(10));
                changes = watch.takeChanges();
            }
            assertThat(changes.keys()).containsExactly("a");
        }
    }

    @Test
    void aRefusalNamesTheKeyThatRedisHas() {
        REDIS.call("SET", "myapp:a", "1");
        try (RedisConnection redis = connect("myapp")) {
            assertThatThrownBy(() -> redis.call("LLEN", "a"))
                    .isInstanceOfSatisfying(
                            RedisFailure.class,
                            failure -> assertThat(failure.explanation()).contains("myapp:a"));
        }
    }

    @Test
    void anOddNameIsRefused() {
        RedisAddress address = RedisAddress.parse("redis://h");

        for (String name : List.of("", " ", "a b", "a\n", "{a}", "a*", "a?", "a[b]", "a^")) {
            assertThatThrownBy(() -> address.withNamespace(name))
                    .as(name)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("a namespace has 1 to 100 characters");
        }
    }

    @Test
    void anAddressShowsIt() {
        RedisAddress address = RedisAddress.parse("redis://h/1").withNamespace("myapp");

        assertThat(address).hasToString("redis://h:6379/1 in the namespace myapp");
        assertThat(address.url()).isEqualTo("redis://h:6379/1");
    }
}
