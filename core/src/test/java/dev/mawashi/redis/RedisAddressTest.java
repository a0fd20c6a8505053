package dev.mawashi.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RedisAddressTest {
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
                .isEqualTo(new RedisAddress(host, port, database, user, password, isTls));
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
                "unix:///tmp/redis.sock",
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
        RedisAddress both = new RedisAddress("::1", 7, 2, odd, odd, true);
        RedisAddress password = new RedisAddress("host", 7, 0, null, odd, false);
        RedisAddress user = new RedisAddress("host", 7, 0, odd, null, false);

        assertThat(RedisAddress.parse(both.url())).isEqualTo(both);
        assertThat(RedisAddress.parse(password.url())).isEqualTo(password);
        assertThat(RedisAddress.parse(user.url())).isEqualTo(user);
    }

    @Test
    void urlWithoutALogInIsTheAddress() {
        assertThat(RedisAddress.parse("redis://host").url()).isEqualTo("redis://host:6379/0");
    }
}
