package dev.mawashi.redis;

import dev.mawashi.redis.RedisAddress.Login;
import dev.mawashi.redis.RedisAddress.Place;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/// Reads and writes the URL of a Redis.
///
/// One server: `redis://[[user]:password@]host[:port][/database]`. Behind Sentinels:
/// `redis+sentinel://[[user]:password@]host[:port],host[:port].../name[/database]`. With `rediss`
/// in the place of `redis` all connections use TLS. Over a Unix socket:
/// `unix://[[user]:password@]/path/of/its/file[?db=database]`. The last `@` before the query ends
/// the login, of a socket's URL the last `@/`. Behind a `?` stand options: see `Option`. All parts
/// may be percent-encoded. What comes after the database, such as the namespace of a cache or a
/// fragment, says nothing here, as in Sidekiq.
final class RedisUrl {
    private static final int PORT = 6379;
    private static final int SENTINEL_PORT = 26379;
    private static final String FORM =
            "; the form is redis://[[user]:password@]host[:port][/database],"
                    + " or redis+sentinel://[[user]:password@]host[:port],host[:port]/name[/database];"
                    + " rediss for TLS; or unix://[[user]:password@]/path[?db=database]";
    private static final String UNIX = "unix";

    /// Of what Linux and the JVM take; elsewhere the JVM says that a path is too long.
    private static final int FILE_BYTES_MAX = 106;

    private RedisUrl() {}

    /// The options of the query, named as in redis-client's own settings.
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

    static RedisAddress parse(String url) {
        int end = url.indexOf("://");
        String scheme = end < 0 ? "" : url.substring(0, end).toLowerCase(Locale.ROOT);
        if (!scheme.matches("rediss?(\\+sentinel)?|" + UNIX)) {
            throw wrong("Redis URL must begin with redis://, rediss:// or unix://");
        }
        String rest = url.substring(end + 3);
        int at = scheme.equals(UNIX) ? endOfUnixLogin(rest) : rest.lastIndexOf('@');
        String login = at < 0 ? "" : rest.substring(0, at);
        if (login.contains("?")) {
            throw wrong(
                    "Redis URL: write a '?' in user or password as %3F, an '@' behind it as %40");
        }
        String place = rest.substring(at + 1);
        int query = place.indexOf('?');
        Map<Option, String> options =
                options(query < 0 ? "" : before('#', place.substring(query + 1)), scheme);
        if (query >= 0) {
            place = place.substring(0, query);
        }
        place = before('#', place);
        return scheme.equals(UNIX)
                ? ofFile(place, login(login), options)
                : ofHosts(scheme, place, login(login), options);
    }

    private static int endOfUnixLogin(String rest) {
        return rest.startsWith("/") ? -1 : rest.lastIndexOf("@/");
    }

    private static RedisAddress ofHosts(
            String scheme, String place, Login login, Map<Option, String> options) {
        boolean isBehindSentinels = scheme.endsWith("+sentinel");
        String[] parts = place.split("/", -1);
        int names = isBehindSentinels ? 1 : 0;
        String master = isBehindSentinels ? master(parts) : "";
        return new RedisAddress(
                places(parts[0], isBehindSentinels),
                master,
                database(parts.length > names + 1 ? parts[names + 1] : ""),
                login,
                sentinelLogin(options, isBehindSentinels),
                isTls(scheme) ? tls(options) : null);
    }

    private static boolean isTls(String scheme) {
        return scheme.startsWith("rediss");
    }

    private static int database(String text) {
        return text.isEmpty() ? 0 : number(text, "database", 0, Integer.MAX_VALUE);
    }

    private static RedisAddress ofFile(String place, Login login, Map<Option, String> options) {
        String path = place.startsWith("/") ? decoded(place) : null;
        if (path == null) {
            throw wrong("Redis URL: the path of a Unix socket begins with '/'");
        }
        if (path.getBytes(StandardCharsets.UTF_8).length > FILE_BYTES_MAX) {
            throw wrong(
                    "Redis URL: the path of a Unix socket has at most %s bytes: make a link"
                            .formatted(FILE_BYTES_MAX));
        }
        try {
            Path _ = Path.of(path);
        } catch (InvalidPathException _) {
            throw wrong("Redis URL: no file of this locale has such a path");
        }
        return new RedisAddress(
                List.of(Place.ofFile(path)),
                "",
                database(options.getOrDefault(Option.DB, "")),
                login,
                sentinelLogin(options, false),
                null);
    }

    private static IllegalArgumentException wrong(String problem) {
        return new IllegalArgumentException(problem + FORM);
    }

    private static String before(char end, String text) {
        int index = text.indexOf(end);
        return index < 0 ? text : text.substring(0, index);
    }

    private static Map<Option, String> options(String query, String scheme) {
        Map<Option, String> options = new LinkedHashMap<>();
        for (String one : query.isEmpty() ? new String[0] : query.split("&", -1)) {
            String name = before('=', one);
            Option option =
                    List.of(Option.values()).stream()
                            .filter(known -> known.text().equals(name))
                            .findFirst()
                            .orElseThrow(() -> wrong("Redis URL has an option that nothing reads"));
            String value = decoded(one.substring(Math.min(one.length(), name.length() + 1)));
            if (value == null || options.put(option, value) != null) {
                throw wrong("Redis URL: " + name + " is empty or there twice");
            }
            boolean isOfUnix = option == Option.DB;
            if (isOfUnix && !scheme.equals(UNIX)) {
                throw wrong(
                        "Redis URL: db is for unix://; elsewhere the database stands behind a '/'");
            }
            if (!isOfUnix && !option.isOfSentinels() && !isTls(scheme)) {
                throw wrong("Redis URL: " + name + " is for rediss://");
            }
        }
        return options;
    }

    private static RedisTls tls(Map<Option, String> options) {
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

    private static Login sentinelLogin(Map<Option, String> options, boolean isBehindSentinels) {
        Login login =
                new Login(
                        options.get(Option.SENTINEL_USERNAME),
                        options.get(Option.SENTINEL_PASSWORD));
        if (!isBehindSentinels && !login.equals(Login.NONE)) {
            throw wrong("Redis URL: options of Sentinels are for redis+sentinel://");
        }
        return login;
    }

    private static String master(String[] parts) {
        String name = parts.length > 1 ? decoded(parts[1]) : null;
        if (name == null) {
            throw wrong("Redis URL: behind the Sentinels stands the name that they know");
        }
        return name;
    }

    private static List<Place> places(String text, boolean isBehindSentinels) {
        List<Place> places = new ArrayList<>();
        for (String one : text.split(",", -1)) {
            places.add(new Place(host(one), port(one, isBehindSentinels ? SENTINEL_PORT : PORT)));
        }
        if (places.size() > 1 && !isBehindSentinels) {
            throw wrong("Redis URL has several hosts: for Sentinels write redis+sentinel://");
        }
        return places;
    }

    private static String host(String hostPort) {
        String host = before(':', hostPort);
        if (hostPort.startsWith("[")) {
            int end = hostPort.indexOf(']');
            if (end < 0) {
                throw wrong("Redis URL: '[' without ']'");
            }
            host = hostPort.substring(1, end);
        }
        if (host.isEmpty()) {
            throw wrong("Redis URL has no host");
        }
        return host;
    }

    private static int port(String hostPort, int otherwise) {
        int from = hostPort.startsWith("[") ? hostPort.indexOf(']') : 0;
        int colon = hostPort.indexOf(':', from);
        return colon < 0 ? otherwise : number(hostPort.substring(colon + 1), "port", 1, 65_535);
    }

    private static int number(String text, String what, int min, int max) {
        try {
            int value = Integer.parseInt(text);
            if (value >= min && value <= max) {
                return value;
            }
        } catch (NumberFormatException _) {
            // Falls through to the same message as a number out of range.
        }
        // What stands there is not shown: where the '@' is missing, it is the password.
        throw wrong("Redis URL: the %s is not a number from %s to %s".formatted(what, min, max));
    }

    private static Login login(String text) {
        int colon = text.indexOf(':');
        return colon < 0
                ? new Login(decoded(text), null)
                : new Login(decoded(text.substring(0, colon)), decoded(text.substring(colon + 1)));
    }

    private static @Nullable String decoded(String text) {
        if (text.isEmpty()) {
            return null;
        }
        // A plus is a plus in a URL's user part, not a space.
        try {
            return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException _) {
            // Its message would show a part of the password.
            throw wrong("Redis URL: a '%' in user, password or option must be written %25");
        }
    }

    static String of(RedisAddress address) {
        Login login = address.login();
        String who = login.equals(Login.NONE) ? "" : encoded(login.user());
        if (login.password() != null) {
            who += ":" + encoded(login.password());
        }
        String at = login.equals(Login.NONE) ? "" : "@";
        return scheme(address) + who + at + place(address) + query(address);
    }

    static String withoutLogin(RedisAddress address) {
        return scheme(address) + place(address);
    }

    private static String scheme(RedisAddress address) {
        if (address.isFile()) {
            return UNIX + "://";
        }
        String redis = address.tls() == null ? "redis" : "rediss";
        return redis + (address.isBehindSentinels() ? "+sentinel://" : "://");
    }

    private static String place(RedisAddress address) {
        if (address.isFile()) {
            return encoded(address.host()).replace("%2F", "/") + "?db=" + address.database();
        }
        StringJoiner hosts = new StringJoiner(",");
        address.places().forEach(place -> hosts.add(place.toString()));
        String name = address.isBehindSentinels() ? "/" + encoded(address.master()) : "";
        return hosts + name + "/" + address.database();
    }

    private static String query(RedisAddress address) {
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

    private static String encoded(@Nullable String text) {
        return text == null
                ? ""
                : URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
