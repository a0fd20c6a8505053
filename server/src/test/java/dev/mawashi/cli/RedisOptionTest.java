package dev.mawashi.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mawashi.redis.RedisAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

final class RedisOptionTest {
    /// A command that has the flag.
    @Command
    private static final class Any {
        @Mixin private RedisOption redis = new RedisOption();
    }

    @Test
    void withoutAnythingItIsTheLocalOne() {
        assertThat(url(Map.of())).isEqualTo(RedisAddress.parse("redis://localhost:6379/0"));
    }

    @Test
    void theFlagWinsOverTheEnvironment() {
        assertThat(url(Map.of("REDIS_URL", "redis://env"), "--redis", "redis://flag:1/2"))
                .isEqualTo(RedisAddress.parse("redis://flag:1/2"));
    }

    @Test
    void redisUrlIsRead() {
        assertThat(url(Map.of("REDIS_URL", "rediss://:x@cloud:7000/1")))
                .isEqualTo(RedisAddress.parse("rediss://:x@cloud:7000/1"));
    }

    @Test
    void aFileOfTlsThatIsNoneIsAnError() {
        assertThatThrownBy(() -> url(Map.of("REDIS_URL", "rediss://:secret@h?ca_file=/no/ca.pem")))
                .isInstanceOf(WrongUse.class)
                .hasMessageContaining("REDIS_URL: cannot read /no/ca.pem")
                .hasMessageNotContaining("secret");
    }

    @Test
    void aVariableMayNameTheFile(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("url"), " rediss://:x@cloud:7000/1\n");
        RedisAddress cloud = RedisAddress.parse("rediss://:x@cloud:7000/1");
        String name = file.toString();

        assertThat(url(Map.of("REDIS_URL_FILE", name))).isEqualTo(cloud);
        assertThat(url(Map.of("REDIS_URL_FILE", name, "REDIS_URL", "redis://other")))
                .isEqualTo(RedisAddress.parse("redis://other"));
        assertThat(url(Map.of("REDIS_URL_FILE", name), "--redis", "redis://flag"))
                .isEqualTo(RedisAddress.parse("redis://flag"));
        Map<String, String> provided =
                Map.of(
                        "REDIS_PROVIDER", "CLOUD_URL",
                        "CLOUD_URL_FILE", name,
                        "REDIS_URL", "redis://other");
        assertThat(url(provided)).isEqualTo(cloud);
        assertThat(url(Map.of("REDIS_PROVIDER", "CLOUD_URL", "REDIS_URL_FILE", name)))
                .isEqualTo(cloud);
        assertThat(url(Map.of("REDIS_URL_FILE", "")))
                .isEqualTo(RedisAddress.parse("redis://localhost:6379/0"));
        assertThat(new RedisOption().source(Map.of("REDIS_URL_FILE", name)))
                .isEqualTo("REDIS_URL_FILE");
    }

    @Test
    void aFileThatHoldsNoUrlIsToldWithoutItsContents(@TempDir Path folder) throws IOException {
        Path wrong = Files.writeString(folder.resolve("wrong"), "secret");
        Path empty = Files.createFile(folder.resolve("empty"));
        for (Path file : new Path[] {wrong, empty, Path.of("/dev/zero")}) {
            assertThatThrownBy(() -> url(Map.of("REDIS_URL_FILE", file.toString())))
                    .isInstanceOf(WrongUse.class)
                    .hasMessageStartingWith("REDIS_URL_FILE: Redis URL must begin with redis://")
                    .hasMessageNotContaining("secret");
        }
        for (String file : new String[] {folder.toString(), folder + "/none", "a\0b"}) {
            assertThatThrownBy(() -> url(Map.of("REDIS_URL_FILE", file)))
                    .isInstanceOf(WrongUse.class)
                    .hasMessageContaining(file + ", which cannot be read: let this user read it");
        }
    }

    @Test
    void redisProviderNamesTheVariable() {
        Map<String, String> environment =
                Map.of(
                        "REDIS_PROVIDER", "CLOUD_URL",
                        "CLOUD_URL", "redis://cloud",
                        "REDIS_URL", "redis://other");
        assertThat(url(environment)).isEqualTo(RedisAddress.parse("redis://cloud"));
    }

    @Test
    void aUrlInRedisProviderIsAnError() {
        assertThatThrownBy(() -> url(Map.of("REDIS_PROVIDER", "redis://:secret@cloud")))
                .isInstanceOf(WrongUse.class)
                .hasMessageContaining("put the URL into REDIS_URL")
                .hasMessageNotContaining("secret");
    }

    @Test
    void whereTheNamedVariableIsNotSetTheUsualOneCounts() {
        Map<String, String> environment =
                Map.of("REDIS_PROVIDER", "CLOUD_URL", "REDIS_URL", "redis://other");
        assertThat(url(environment)).isEqualTo(RedisAddress.parse("redis://other"));
    }

    @Test
    void aNamedVariableThatIsNotSetIsAnError() {
        assertThatThrownBy(() -> url(Map.of("REDIS_PROVIDER", "CLOUD_URL")))
                .isInstanceOf(WrongUse.class)
                .hasMessageContaining("CLOUD_URL, which is not set");
    }

    @Test
    void whatIsNoUrlIsToldWithoutItsSecret() {
        for (String wrong : new String[] {"localhost", "http://:secret@x", "redis://:secret@"}) {
            assertThatThrownBy(() -> url(Map.of(), "--redis", wrong))
                    .isInstanceOf(WrongUse.class)
                    .hasMessageStartingWith("--redis: Redis URL")
                    .hasMessageNotContaining("cret");
        }
    }

    /// The JVM puts U+FFFD in the place of what the locale does not know.
    @Test
    void aUrlWithCharactersThatTheLocaleDoesNotKnowIsToldWithTheRemedy() {
        assertThatThrownBy(() -> url(Map.of("REDIS_URL", "redis://:secret\ufffd\ufffd@cloud")))
                .isInstanceOf(WrongUse.class)
                .hasMessageContaining("write them as % and hex digits, or set LC_ALL=C.UTF-8")
                .hasMessageNotContaining("cret\ufffd");
    }

    @Test
    void aNamespaceIsOfTheFlagOrTheVariable() {
        Map<String, String> environment = Map.of("MAWASHI_NAMESPACE", "env");

        assertThat(url(Map.of()).namespace()).isEmpty();
        assertThat(url(Map.of("MAWASHI_NAMESPACE", "")).namespace()).isEmpty();
        assertThat(url(environment).namespace()).isEqualTo("env");
        assertThat(url(environment, "--namespace", "flag").namespace()).isEqualTo("flag");
        assertThat(new RedisOption().namespaceSource(Map.of())).isEqualTo("default");
        assertThat(new RedisOption().namespaceSource(environment)).isEqualTo("MAWASHI_NAMESPACE");
    }

    @Test
    void anOddNamespaceIsToldWithTheRemedy() {
        for (String odd : List.of("", " ", "a b", "{a}", "a*", "a\ufffd")) {
            assertThatThrownBy(() -> url(Map.of(), "--namespace", odd))
                    .as(odd)
                    .isInstanceOf(WrongUse.class)
                    .hasMessageStartingWith("--namespace: a namespace has 1 to 100 characters");
        }
        assertThatThrownBy(() -> url(Map.of("MAWASHI_NAMESPACE", "a b")))
                .isInstanceOf(WrongUse.class)
                .hasMessageStartingWith("MAWASHI_NAMESPACE: a namespace has");
    }

    private static RedisAddress url(Map<String, String> environment, String... arguments) {
        Any any = new Any();
        new CommandLine(any).parseArgs(arguments);
        return any.redis.address(environment);
    }
}
