package dev.mawashi.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RedisAddressTest {
    private static RedisAddress one(
            String host,
            int port,
            int database,
            @Nullable String user,
            @Nullable String password,
            boolean isTls) {
        return new RedisAddress(
                RedisAddress.Kind.SERVER,
                List.of(new RedisAddress.Place(host, port)),
                "",
                database,
                new RedisAddress.Login(user, password),
                RedisAddress.Login.NONE,
                isTls ? new RedisTls(null, null, null, true) : null);
    }

    @ParameterizedTest
    @CsvSource({
        "redis://localhost,                     localhost, 6379, 0, , , false",
        "redis://10.0.0.5:7000/2,               10.0.0.5,  7000, 2, , , false",
        "redis://host/,                         host,      6379, 0, , , false",
        "rediss://host:1/15,                    host,      1,    15, , , true",
        "redis://[::1]:65535/1,                 ::1,       65535, 1, , , false",
        "redis://[2001:db8::1],                 2001:db8::1, 6379, 0, , , false",
        "redis://host:7/3/,                     host,      7,    3, , , false",
        "redis://host:7/3/cache,                host,      7,    3, , , false",
        "redis://host:7/1#x,                    host,      7,    1, , , false",
        "redis://host#x,                        host,      6379, 0, , , false",
        "REDIS://host/4,                        host,      6379, 4, , , false",
        "RedisS://host/4,                       host,      6379, 4, , , true",
        "redis://:secret@host,                  host,      6379, 0, , secret, false",
        "redis://me:secret@host:7,              host,      7,    0, me, secret, false",
        "redis://me@host,                       host,      6379, 0, me, , false",
        "redis://me:@host,                      host,      6379, 0, me, , false",
        "redis://:p@ss@host,                    host,      6379, 0, , p@ss, false",
        "redis://:a:b/c#d@host/3,               host,      6379, 3, , a:b/c#d, false",
        "redis://m%40e:p%40%3A%2F%25+%20@host,  host,      6379, 0, m@e, 'p@:/%+ ', false",
    })
    void aUrlSaysWhereAndHow(
            String url,
            String host,
            int port,
            int database,
            @Nullable String user,
            @Nullable String password,
            boolean isTls) {
        assertThat(RedisAddress.parse(url))
                .isEqualTo(one(host, port, database, user, password, isTls));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "localhost:6379",
                "http://localhost",
                "redis:/localhost",
                "redis://",
                "redis://:6379",
                "redis://user:pass@",
                "redis://host:0",
                "redis://host:65536",
                "redis://host:x",
                "redis://host:",
                "redis://host/x",
                "redis://host/-1",
                "redis://[::1",
                "redis://host?timeout=5",
                "unix:/tmp/redis.sock",
            })
    void anyOtherFormIsRefusedWithTheFormInTheMessage(String url) {
        assertThatThrownBy(() -> RedisAddress.parse(url))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("redis://[[user]:password@]host[:port][/database]");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "redis://:secret@",
                "redis://:secret@host:secret",
                "redis://user:secret",
                "redis://:secret@host/secret",
                "redis://:secret?@host",
                "redis://:%secret@host",
                "redis://:%zzsecret@host",
                "redis://%zzsecret:x@host",
                "redis://:secret%@host",
                "secret://:secret@host",
            })
    void noMessageTellsThePassword(String url) {
        assertThatThrownBy(() -> RedisAddress.parse(url))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("redis://[[user]:password@]host[:port][/database]")
                .satisfies(refusal -> {
                    for (Throwable t = refusal; t != null; t = t.getCause()) {
                        assertThat(t).message().doesNotContain("secret", "zz", "se\"");
                    }
                });
    }

    @Test
    void toStringTellsNeitherUserNorPassword() {
        assertThat(RedisAddress.parse("rediss://me:secret@[::1]:7/2"))
                .hasToString("rediss://[::1]:7/2");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "secret",
                "p@ss:w/o?r#d%",
                "$1\\",
                "a b+c",
                "\u00e9\u20ac\ud83d\ude00",
                "[]",
                "%41"
            })
    void urlRoundTripsAnyUserAndPassword(String odd) {
        RedisAddress both = one("::1", 7, 2, odd, odd, true);
        RedisAddress password = one("host", 7, 0, null, odd, false);
        RedisAddress user = one("host", 7, 0, odd, null, false);

        assertThat(RedisAddress.parse(both.url())).isEqualTo(both);
        assertThat(RedisAddress.parse(password.url())).isEqualTo(password);
        assertThat(RedisAddress.parse(user.url())).isEqualTo(user);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "redis+sentinel://a:26379/main/0",
                "redis+sentinel://a:1,[::1]:2,c:3/main/2",
                "redis+sentinel://me:p%40ss@a:1,b:2/main%2Fone/0?sentinel_password=x%40y%3F",
                "redis+sentinel://:p@a:1/main/0?sentinel_username=s&sentinel_password=x",
                "rediss+sentinel://a:1/main/0?ca_file=%2Fetc%2Fca.pem&verify_mode=none",
                "rediss://h:1/0?ca_file=%2Fetc%2Fmy%20ca.pem&cert=c.pem&key=k.pem",
                "rediss://h:1/0?verify_mode=none",
            })
    void aUrlOfSentinelsAndFilesRoundTrips(String url) {
        assertThat(RedisAddress.parse(url).url()).isEqualTo(url);
        assertThat(RedisAddress.parse(url).toString()).doesNotContain("?", "@", "pass");
    }

    @Test
    void sentinelsHaveAPortOfTheirOwnAndTheMasterAName() {
        RedisAddress address = RedisAddress.parse("REDIS+Sentinel://:pw@a,b:7,[::1]/my%2Dmain/3#x");

        assertThat(address.places()).hasToString("[a:26379, b:7, [::1]:26379]");
        assertThat(address.name()).isEqualTo("my-main");
        assertThat(address.database()).isEqualTo(3);
        assertThat(address.login().password()).isEqualTo("pw");
        assertThat(address.hasPassword()).isTrue();
        assertThat(address).hasToString("redis+sentinel://a:26379,b:7,[::1]:26379/my-main/3");
        assertThat(RedisAddress.parse("rediss://h?verify_mode=peer").tls())
                .isEqualTo(new RedisTls(null, null, null, true));
        assertThat(RedisAddress.parse("redis+sentinel://h/m?sentinel_password=x").hasPassword())
                .isTrue();
        assertThat(RedisAddress.parse("redis+sentinel://me@h/m").hasPassword()).isFalse();
    }

    @Test
    void aClusterHasANameForItsKeysAndNoDatabase() {
        RedisAddress address = RedisAddress.parse("rediss+cluster://me:pw@a,b:7/my%2Dshop#x");

        assertThat(address.places()).hasToString("[a:6379, b:7]");
        assertThat(address.isCluster()).isTrue();
        assertThat(address.keyPrefix()).isEqualTo("{my-shop}:");
        assertThat(address.namespace()).isEmpty();
        assertThat(address.database()).isZero();
        assertThat(address).hasToString("rediss+cluster://a:6379,b:7/my-shop");
        assertThat(RedisAddress.parse(address.url())).isEqualTo(address);
        assertThat(List.of("redis+cluster://a", "redis+cluster://a/"))
                .allSatisfy(url ->
                        assertThat(RedisAddress.parse(url).keyPrefix()).isEqualTo("{mawashi}:"));
        assertThatThrownBy(() -> address.withNamespace("shop"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("give none");
        assertThat(address.isSamePlace(RedisAddress.parse("redis+cluster://b:7,c/my-shop")))
                .isTrue();
        assertThat(address.isSamePlace(RedisAddress.parse("redis+cluster://b:7,c/other")))
                .isFalse();
        assertThat(address.isSamePlace(RedisAddress.parse("redis://b:7"))).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "redis://a:1,b:2/0 | redis+sentinel:// for Sentinels, redis+cluster:// for a Cluster",
                "redis+sentinel://a:1,b:2 | stands the name that they know",
                "redis+sentinel://a:1,,b:2/main | has no host",
                "redis+sentinel://a:1,/main | has no host",
                "redis+sentinel:///main | has no host",
                "redis+sentinel://a:1//0 | stands the name that they know",
                "redis+sentinel://a:1/main/x | the database is not a number",
                "redis+clusters://a:1 | must begin with redis://, rediss:// or unix://",
                "redis+cluster://a:1/shop/0 | a Cluster has no databases",
                "redis+cluster://a:1/{shop} | the name of the keys in a Cluster",
                "redis+cluster://a:1/a%20b | the name of the keys in a Cluster",
                "redis+cluster://a:1/a:b | the name of the keys in a Cluster",
                "redis+cluster://a:1/x?db=1 | db is for unix://",
                "redis+cluster://a:1/x?sentinel_password=secret | for redis+sentinel://",
                "redis://h?ca_file=x | ca_file is for rediss://",
                "redis://h?verify_mode=none | verify_mode is for rediss://",
                "rediss://h?verify_mode=maybe | verify_mode is peer or none",
                "rediss://h?cert=x | cert and key come together",
                "rediss://h?key=x | cert and key come together",
                "rediss://h?ca_file= | ca_file is empty or there twice",
                "rediss://h?ca_file | ca_file is empty or there twice",
                "rediss://h?ca_file=a&ca_file=b | ca_file is empty or there twice",
                "rediss://h?ca=secret | an option that nothing reads",
                "rediss://h? & | an option that nothing reads",
                "redis://h?sentinel_password=secret | for redis+sentinel://",
                "redis+sentinel://h/m?sentinel_password=%secret | must be written %25",
                "redis+sentinel://h/m?sentinel_password=secret@x | as %3F, an '@' behind it as %40",
            })
    void aWrongOneIsRefusedWithItsReason(String url, String reason) {
        assertThatThrownBy(() -> RedisAddress.parse(url))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(reason)
                .hasMessageContaining("; the form is ")
                .message()
                .doesNotContain("secret");
    }

    @ParameterizedTest
    @CsvSource({
        "unix:///run/redis.sock,           /run/redis.sock, 0, , ",
        "UNIX:///run/redis.sock?db=3#x,    /run/redis.sock, 3, , ",
        "unix://me:p%40@/r/s?db=1,         /r/s, 1, me, p@",
        "unix://:p@/s/@/x@h/s,             /x@h/s, 0, , p@/s/",
        "unix:///r@/a%20b%3f+c,            /r@/a b?+c, 0, , ",
        "unix://:a:b/c#d@/s,               /s, 0, , a:b/c#d",
    })
    void aUnixSocketIsAFile(
            String url,
            String file,
            int database,
            @Nullable String user,
            @Nullable String password) {
        RedisAddress address = RedisAddress.parse(url);

        assertThat(address).isEqualTo(one(file, 0, database, user, password, false));
        assertThat(RedisAddress.parse(address.url())).isEqualTo(address);
        assertThat(address.toString()).startsWith("unix:///").endsWith("?db=" + database);
    }

    @ParameterizedTest
    @CsvSource({
        "unix://,                      begins with '/'",
        "unix://run/secret,            begins with '/'",
        "unix://me:secret/run/x,       begins with '/'",
        "unix://:secret?@/run/x,       as %3F",
        "unix:///x?db=secret,          the database is not a number",
        "unix:///x?db=,                db is empty or there twice",
        "unix:///x?db=1&db=2,          db is empty or there twice",
        "unix:///x?ca_file=secret,     ca_file is for rediss://",
        "unix:///x?sentinel_password=secret, for redis+sentinel://",
        "unix:///x%00secret,           no file of this locale",
        "unix:///x%secret,             must be written %25",
        "redis://h?db=1,               db is for unix://",
    })
    void aWrongOneOfAUnixSocketIsRefusedWithItsReason(String url, String reason) {
        aWrongOneIsRefusedWithItsReason(url, reason);
    }

    @Test
    void aPathThatNoSocketCanHaveIsRefused() {
        String longest = "/" + "\u00e9".repeat(52) + "x";
        assertThat(RedisAddress.parse("unix://" + longest).host()).isEqualTo(longest);
        aWrongOneIsRefusedWithItsReason(
                "unix://" + longest + "x", "at most 106 bytes: make a link");
    }

    @Test
    void urlWithoutALogInIsTheAddress() {
        assertThat(RedisAddress.parse("redis://host").url()).isEqualTo("redis://host:6379/0");
    }

    /// Both names of one server are two places: who knows better asks Redis.
    @ParameterizedTest
    @CsvSource({
        "redis://h, rediss://me:p@h:6379/0?ca_file=/f, true",
        "redis://h, redis://h/1, false",
        "redis://h, redis://h:1, false",
        "redis://localhost, redis://127.0.0.1, false",
        "unix:///s?db=1, unix://:p@/s?db=1, true",
        "'redis+sentinel://a,b/main', 'redis+sentinel://b,c/main/0', true",
        "'redis+sentinel://a,b/main', 'redis+sentinel://b,c/other', false",
        "redis+sentinel://a/main, redis://a:26379, false",
    })
    void placesAreComparedWithoutLogins(String one, String other, boolean isSame) {
        assertThat(RedisAddress.parse(one).isSamePlace(RedisAddress.parse(other)))
                .isEqualTo(isSame);
    }
}
