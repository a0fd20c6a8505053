package dev.mawashi.cli;

import dev.mawashi.redis.RedisAddress;
import dev.mawashi.redis.RedisTls;
import dev.mawashi.server.ServerSettings;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The flag `--redis URL`, and the environment variables that stand in for it: Sidekiq's own, so
/// that an app's settings serve as they are.
final class RedisOption {
    private static final String VARIABLE = "REDIS_URL";
    private static final String NAMESPACE = "--namespace";
    private static final String NAMESPACE_VARIABLE = "MAWASHI_NAMESPACE";
    private static final int FILE_BYTES_MAX = 8 << 10;
    private static final String LOCAL = "redis://localhost:6379/0";

    @Option(
            names = ServerSettings.REDIS_FLAG,
            paramLabel = "URL",
            description = {
                "Redis or Valkey with the jobs, such as redis://:secret@host:6379/0, rediss://host,"
                        + " redis+sentinel://host,host/name,"
                        + " redis+cluster://host,host/name or unix:///run/redis.sock?db=1."
                        + " Without it, in a server the app's own config.redis; else the variable"
                        + " that REDIS_PROVIDER names, or REDIS_URL, or the file that"
                        + " REDIS_URL_FILE names, or "
                        + LOCAL
            })
    private @Nullable String given;

    @Option(
            names = NAMESPACE,
            paramLabel = "NAME",
            description =
                    "The namespace of Sidekiq's keys, and of Mawashi's: the one in config.redis of"
                            + " an app with Sidekiq 6 or older and the gem redis-namespace. Without"
                            + " it, MAWASHI_NAMESPACE, or none.")
    private @Nullable String namespace;

    /// A URL and the flag or variable that holds it.
    private record Found(String source, String url) {}

    /// Whether the flag names it.
    boolean isGiven() {
        return given != null;
    }

    /// Where Redis is.
    ///
    /// @throws WrongUse when what was given is no URL of a Redis
    RedisAddress address(Map<String, String> environment) {
        Found found = found(environment);
        return inNamespace(parsed(found.source(), found.url()), environment);
    }

    private RedisAddress inNamespace(RedisAddress address, Map<String, String> environment) {
        String source = namespaceSource(environment);
        String name = namespace == null ? environment.get(NAMESPACE_VARIABLE) : namespace;
        if (source.equals(Setting.DEFAULT) || name == null) {
            return address;
        }
        try {
            return address.withNamespace(name);
        } catch (IllegalArgumentException wrong) {
            throw new WrongUse(source + ": " + wrong.getMessage());
        }
    }

    /// The flag or variable that gives the namespace; "default" when none does.
    String namespaceSource(Map<String, String> environment) {
        if (namespace != null) {
            return NAMESPACE;
        }
        boolean isSet = !environment.getOrDefault(NAMESPACE_VARIABLE, "").isEmpty();
        return isSet ? NAMESPACE_VARIABLE : Setting.DEFAULT;
    }

    /// The flag or variable that says where Redis is or, by `_FILE` at its end, in which file that
    /// stands; "default" when none does.
    ///
    /// @throws WrongUse when a variable names another that is not set
    String source(Map<String, String> environment) {
        return found(environment).source();
    }

    private Found found(Map<String, String> environment) {
        if (given != null) {
            return new Found(ServerSettings.REDIS_FLAG, given);
        }
        @Nullable Found usual = in(VARIABLE, environment);
        @Nullable String provider = environment.get("REDIS_PROVIDER");
        if (provider == null || provider.isEmpty()) {
            return usual == null ? new Found(ServerSettings.NAMED_BY_NOBODY, LOCAL) : usual;
        }
        if (provider.contains(":")) {
            throw new WrongUse(
                    "REDIS_PROVIDER holds a URL, but is to name the variable that holds it:"
                            + " put the URL into REDIS_URL and unset REDIS_PROVIDER");
        }
        @Nullable Found named = in(provider, environment);
        if (named != null) {
            return named;
        }
        if (usual == null) {
            throw new WrongUse(
                    "REDIS_PROVIDER names the variable "
                            + provider
                            + ", which is not set: set it to the URL of Redis, or unset"
                            + " REDIS_PROVIDER");
        }
        return usual;
    }

    /// The variable holds the URL, or one of the same name with `_FILE` behind it the file that
    /// does, as containers are given secrets.
    private static @Nullable Found in(String variable, Map<String, String> environment) {
        @Nullable String value = environment.get(variable);
        String file = variable + "_FILE";
        String path = environment.getOrDefault(file, "");
        if (value != null || path.isEmpty()) {
            return value == null ? null : new Found(variable, value);
        }
        try (InputStream in = Files.newInputStream(Path.of(path))) {
            return new Found(
                    file, new String(in.readNBytes(FILE_BYTES_MAX), StandardCharsets.UTF_8));
        } catch (IOException | InvalidPathException e) {
            throw new WrongUse(
                    "%s names %s, which cannot be read: let this user read it, or unset %s"
                            .formatted(file, path, file));
        }
    }

    /// Where a Redis is that a flag of another name gives, or a variable in its place.
    ///
    /// @param given "" without the flag
    /// @throws WrongUse when there is neither, or when it is no URL of a Redis
    static RedisAddress address(
            String flag, String given, String variable, Map<String, String> environment) {
        @Nullable Found found =
                given.isEmpty() ? in(variable, environment) : new Found(flag, given);
        if (found == null) {
            throw new WrongUse(
                    "which Redis? Give %s URL, or set %s or %s_FILE"
                            .formatted(flag, variable, variable));
        }
        return parsed(found.source(), found.url());
    }

    /// Whether what was given shows a password to whoever may list this machine's processes.
    boolean showsPassword(RedisAddress address) {
        return given != null && address.hasPassword();
    }

    /// Whether a word from outside has lost characters: the JVM puts this one in the place of what
    /// the locale's encoding does not know.
    static boolean isGarbled(String word) {
        return word.indexOf('\ufffd') >= 0;
    }

    /// The value is in no message: it may hold a password.
    private static RedisAddress parsed(String source, String value) {
        if (isGarbled(value)) {
            throw new WrongUse(
                    source
                            + " has characters that this locale does not know: write them as %"
                            + " and hex digits, or set LC_ALL=C.UTF-8");
        }
        try {
            RedisAddress address = RedisAddress.parse(value.strip());
            address.checkFiles();
            return address;
        } catch (IllegalArgumentException | RedisTls.Unusable wrong) {
            throw new WrongUse(source + ": " + wrong.getMessage());
        }
    }
}
