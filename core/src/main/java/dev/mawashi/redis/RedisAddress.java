package dev.mawashi.redis;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.regex.Matcher;
import org.jspecify.annotations.Nullable;

/// The address and login of a Redis or Valkey server: the contents of a `redis://` URL.
///
/// @param host name or address
/// @param port 1 to 65535
/// @param database 0 or more
/// @param user ACL user; null for the default user
/// @param password null when none is needed; never part of `toString`
/// @param isTls true for `rediss://`
public record RedisAddress(
        String host,
        int port,
        int database,
        @Nullable String user,
        @Nullable String password,
        boolean isTls) {
    private static final int DEFAULT_PORT = 6379;
    private static final String FORM =
            "; the form is redis://[[user]:password@]host[:port][/database]";

    public RedisAddress {
        Objects.requireNonNull(host, "host");
    }

    /// Reads a URL such as `redis://:secret@10.0.0.5:6379/2`; user and password may be
    /// percent-encoded, and the last `@` ends them. What comes after the database, such as the
    /// namespace of a cache or a fragment, says nothing here, as in Sidekiq.
    ///
    /// @throws IllegalArgumentException with a message for the operator, without the password
    public static RedisAddress parse(String url) {
        boolean tls = url.regionMatches(true, 0, "rediss://", 0, 9);
        if (!tls && !url.regionMatches(true, 0, "redis://", 0, 8)) {
            throw new IllegalArgumentException(
                    "Redis URL must begin with redis:// or rediss://" + FORM);
        }
        String rest = url.substring(url.indexOf("://") + 3);
        int query = rest.indexOf('?');
        if (query >= 0) {
            throw new IllegalArgumentException("Redis URL has a query, which nothing reads" + FORM);
        }
        int at = rest.lastIndexOf('@');
        String login = at < 0 ? "" : rest.substring(0, at);
        String place = before('#', rest.substring(at + 1));
        int slash = place.indexOf('/');
        String database = slash < 0 ? "" : before('/', place.substring(slash + 1));
        String hostPort = slash < 0 ? place : place.substring(0, slash);
        int colon = login.indexOf(':');
        return new RedisAddress(
                host(hostPort),
                port(hostPort),
                database.isEmpty() ? 0 : number(database, "database", 0, Integer.MAX_VALUE),
                decoded(colon < 0 ? login : login.substring(0, colon)),
                colon < 0 ? null : decoded(login.substring(colon + 1)),
                tls);
    }

    private static String before(char end, String text) {
        int index = text.indexOf(end);
        return index < 0 ? text : text.substring(0, index);
    }

    private static String host(String hostPort) {
        String host = hostPort;
        if (hostPort.startsWith("[")) {
            int end = hostPort.indexOf(']');
            if (end < 0) {
                throw new IllegalArgumentException("Redis URL: '[' without ']'" + FORM);
            }
            host = hostPort.substring(1, end);
        } else if (hostPort.indexOf(':') >= 0) {
            host = hostPort.substring(0, hostPort.indexOf(':'));
        }
        if (host.isEmpty()) {
            throw new IllegalArgumentException("Redis URL has no host" + FORM);
        }
        return host;
    }

    private static int port(String hostPort) {
        int from = hostPort.startsWith("[") ? hostPort.indexOf(']') : 0;
        int colon = hostPort.indexOf(':', from);
        return colon < 0 ? DEFAULT_PORT : number(hostPort.substring(colon + 1), "port", 1, 65_535);
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
        throw new IllegalArgumentException(
                "Redis URL: the %s is not a number from %s to %s%s"
                        .formatted(what, min, max, FORM));
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
            throw new IllegalArgumentException(
                    "Redis URL: a '%' in user or password must be written %25" + FORM);
        }
    }

    /// The whole URL, password and all, for another program that logs in itself. Not for logs.
    public String url() {
        if (user == null && password == null) {
            return toString();
        }
        String login = encoded(user) + (password == null ? "" : ":" + encoded(password));
        return toString().replaceFirst("://", Matcher.quoteReplacement("://" + login + "@"));
    }

    private static String encoded(@Nullable String text) {
        return text == null
                ? ""
                : URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /// The address without user and password, fit for logs.
    @Override
    public String toString() {
        String bracketed = host.indexOf(':') >= 0 ? "[" + host + "]" : host;
        return (isTls ? "rediss://" : "redis://") + bracketed + ":" + port + "/" + database;
    }
}
