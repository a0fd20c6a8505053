package dev.mawashi.redis;

import static dev.mawashi.redis.RedisUrl.before;
import static dev.mawashi.redis.RedisUrl.decoded;
import static dev.mawashi.redis.RedisUrl.encoded;
import static dev.mawashi.redis.RedisUrl.wrong;

import dev.mawashi.redis.RedisAddress.Kind;
import dev.mawashi.redis.RedisAddress.Login;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/// The options in the query of a Redis URL, see `Option`.
final class RedisUrlOptions {
    private final Map<Option, String> options = new LinkedHashMap<>();

    private RedisUrlOptions() {}

    /// Named as in redis-client's own settings.
    private enum Option {
        CA_FILE,
        CERT,
        KEY,
        VERIFY_MODE,
        DB,
        SENTINEL_USERNAME,
        SENTINEL_PASSWORD;

        private boolean isOfSentinels() {
            return this == SENTINEL_USERNAME || this == SENTINEL_PASSWORD;
        }

        private String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /// @throws IllegalArgumentException with a message for the operator
    static RedisUrlOptions parse(String query, boolean isUnix, boolean isTls) {
        RedisUrlOptions found = new RedisUrlOptions();
        for (String one : query.isEmpty() ? new String[0] : query.split("&", -1)) {
            String name = before('=', one);
            Option option =
                    List.of(Option.values()).stream()
                            .filter(known -> known.text().equals(name))
                            .findFirst()
                            .orElseThrow(() -> wrong("Redis URL has an option that nothing reads"));
            String value = decoded(one.substring(Math.min(one.length(), name.length() + 1)));
            if (value == null || found.options.put(option, value) != null) {
                throw wrong("Redis URL: " + name + " is empty or there twice");
            }
            boolean isOfUnix = option == Option.DB;
            if (isOfUnix && !isUnix) {
                throw wrong(
                        "Redis URL: db is for unix://; elsewhere the database stands behind a '/'");
            }
            if (!isOfUnix && !option.isOfSentinels() && !isTls) {
                throw wrong("Redis URL: " + name + " is for rediss://");
            }
        }
        return found;
    }

    /// As text; "" where it does not stand here.
    String database() {
        return options.getOrDefault(Option.DB, "");
    }

    RedisTls tls() {
        String mode = options.getOrDefault(Option.VERIFY_MODE, "peer");
        if (!List.of("peer", "none").contains(mode)) {
            throw wrong("Redis URL: verify_mode is peer or none");
        }
        String cert = options.get(Option.CERT);
        String key = options.get(Option.KEY);
        if ((cert == null) != (key == null)) {
            throw wrong("Redis URL: cert and key come together");
        }
        return new RedisTls(options.get(Option.CA_FILE), cert, key, mode.equals("peer"));
    }

    Login sentinelLogin(Kind kind) {
        Login login =
                new Login(
                        options.get(Option.SENTINEL_USERNAME),
                        options.get(Option.SENTINEL_PASSWORD));
        if (kind != Kind.SENTINELS && !login.equals(Login.NONE)) {
            throw wrong("Redis URL: options of Sentinels are for redis+sentinel://");
        }
        return login;
    }

    /// The query that says the same, with its `?`.
    static String of(RedisAddress address) {
        Map<Option, @Nullable String> options = new LinkedHashMap<>();
        RedisTls tls = address.tls();
        if (tls != null) {
            options.put(Option.CA_FILE, tls.authority());
            options.put(Option.CERT, tls.certificate());
            options.put(Option.KEY, tls.key());
            options.put(Option.VERIFY_MODE, tls.isVerified() ? null : "none");
        }
        options.put(Option.SENTINEL_USERNAME, address.sentinelLogin().user());
        options.put(Option.SENTINEL_PASSWORD, address.sentinelLogin().password());
        StringJoiner query = new StringJoiner("&", "?", "").setEmptyValue("");
        options.forEach((option, value) -> {
            if (value != null) {
                query.add(option.text() + "=" + encoded(value));
            }
        });
        return query.toString();
    }
}
