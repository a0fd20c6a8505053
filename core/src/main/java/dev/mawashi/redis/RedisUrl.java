package dev.mawashi.redis;

import dev.mawashi.redis.RedisAddress.Kind;
import dev.mawashi.redis.RedisAddress.Login;
import dev.mawashi.redis.RedisAddress.Place;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/// Reads and writes the URL of a Redis.
///
/// One server: `redis://[[user]:password@]host[:port][/database]`. Behind Sentinels:
/// `redis+sentinel://[[user]:password@]host[:port],host[:port].../name[/database]`. In a Cluster:
/// `redis+cluster://[[user]:password@]host[:port],host[:port].../[name]`. With `rediss` in the
/// place of `redis` all connections use TLS. Over a Unix socket:
/// `unix://[[user]:password@]/path/of/its/file[?db=database]`. The last `@` before the query ends
/// the login, of a socket's URL the last `@/`. Behind a `?` stand options: see `RedisUrlOptions`.
/// All parts may be percent-encoded. What comes after the database, such as the namespace of a
/// cache or a fragment, says nothing here, as in Sidekiq.
final class RedisUrl {
    private static final int PORT = 6379;
    private static final int SENTINEL_PORT = 26379;
    private static final String FORM =
            "; the form is redis://[[user]:password@]host[:port][/database],"
                    + " or redis+sentinel://[[user]:password@]host[:port],host[:port]/name[/database];"
                    + " redis+cluster://[[user]:password@]host[:port],host[:port][/name];"
                    + " rediss for TLS; or unix://[[user]:password@]/path[?db=database]";
    private static final String UNIX = "unix";
    private static final String SENTINEL = "+sentinel";
    private static final String CLUSTER = "+cluster";

    /// Of the keys in a Cluster whose URL names none.
    private static final String NAME = "mawashi";

    /// Of what Linux and the JVM take; elsewhere the JVM says that a path is too long.
    private static final int FILE_BYTES_MAX = 106;

    private RedisUrl() {}

    static RedisAddress parse(String url) {
        int end = url.indexOf("://");
        String scheme = end < 0 ? "" : url.substring(0, end).toLowerCase(Locale.ROOT);
        if (!scheme.matches("rediss?(\\+sentinel|\\+cluster)?|" + UNIX)) {
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
        RedisUrlOptions options =
                RedisUrlOptions.parse(
                        query < 0 ? "" : before('#', place.substring(query + 1)),
                        scheme.equals(UNIX),
                        isTls(scheme));
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
            String scheme, String place, Login login, RedisUrlOptions options) {
        Kind kind = kind(scheme);
        String[] parts = place.split("/", -1);
        int names = kind == Kind.SERVER ? 0 : 1;
        return new RedisAddress(
                kind,
                places(parts[0], kind),
                name(kind, parts),
                database(kind, parts.length > names + 1 ? parts[names + 1] : ""),
                login,
                options.sentinelLogin(kind),
                isTls(scheme) ? options.tls() : null);
    }

    private static Kind kind(String scheme) {
        if (scheme.endsWith(CLUSTER)) {
            return Kind.CLUSTER;
        }
        return scheme.endsWith(SENTINEL) ? Kind.SENTINELS : Kind.SERVER;
    }

    private static boolean isTls(String scheme) {
        return scheme.startsWith("rediss");
    }

    private static int database(Kind kind, String text) {
        if (kind == Kind.CLUSTER && !text.isEmpty()) {
            throw wrong("Redis URL: a Cluster has no databases");
        }
        return text.isEmpty() ? 0 : number(text, "database", 0, Integer.MAX_VALUE);
    }

    private static RedisAddress ofFile(String place, Login login, RedisUrlOptions options) {
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
                Kind.SERVER,
                List.of(Place.ofFile(path)),
                "",
                database(Kind.SERVER, options.database()),
                login,
                options.sentinelLogin(Kind.SERVER),
                null);
    }

    static IllegalArgumentException wrong(String problem) {
        return new IllegalArgumentException(problem + FORM);
    }

    static String before(char end, String text) {
        int index = text.indexOf(end);
        return index < 0 ? text : text.substring(0, index);
    }

    private static String name(Kind kind, String... parts) {
        String name = parts.length > 1 && kind != Kind.SERVER ? decoded(parts[1]) : null;
        if (kind == Kind.SENTINELS && name == null) {
            throw wrong("Redis URL: behind the Sentinels stands the name that they know");
        }
        if (kind != Kind.CLUSTER) {
            return name == null ? "" : name;
        }
        return name == null ? NAME : nameOfKeys(name);
    }

    private static String nameOfKeys(String name) {
        if (name.contains(":") || !Namespace.isName(name)) {
            throw wrong(
                    "Redis URL: the name of the keys in a Cluster has 1 to 100 characters, and no"
                            + " white space and none of {}*?[]\\^:");
        }
        return name;
    }

    private static List<Place> places(String text, Kind kind) {
        List<Place> places = new ArrayList<>();
        for (String one : text.split(",", -1)) {
            places.add(
                    new Place(host(one), port(one, kind == Kind.SENTINELS ? SENTINEL_PORT : PORT)));
        }
        if (places.size() > 1 && kind == Kind.SERVER) {
            throw wrong(
                    "Redis URL has several hosts: write redis+sentinel:// for Sentinels,"
                            + " redis+cluster:// for a Cluster");
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

    static @Nullable String decoded(String text) {
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
        return scheme(address) + who + at + place(address) + RedisUrlOptions.of(address);
    }

    static String withoutLogin(RedisAddress address) {
        return scheme(address) + place(address);
    }

    private static String scheme(RedisAddress address) {
        if (address.isFile()) {
            return UNIX + "://";
        }
        String redis = address.tls() == null ? "redis" : "rediss";
        return switch (address.kind()) {
                    case SERVER -> redis;
                    case SENTINELS -> redis + SENTINEL;
                    case CLUSTER -> redis + CLUSTER;
                }
                + "://";
    }

    private static String place(RedisAddress address) {
        if (address.isFile()) {
            return encoded(address.host()).replace("%2F", "/") + "?db=" + address.database();
        }
        StringJoiner hosts = new StringJoiner(",");
        address.places().forEach(place -> hosts.add(place.toString()));
        String name = address.name().isEmpty() ? "" : "/" + encoded(address.name());
        return hosts + name + (address.isCluster() ? "" : "/" + address.database());
    }

    static String encoded(@Nullable String text) {
        return text == null
                ? ""
                : URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
