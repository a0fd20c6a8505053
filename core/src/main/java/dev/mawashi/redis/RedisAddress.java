package dev.mawashi.redis;

import java.util.Collections;
import java.util.List;
import java.util.Objects;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/// The place and login of a Redis or Valkey server: the contents of a URL, see `RedisUrl`.
///
/// @param kind decides what the places and the name are
/// @param places of the server: one; or of Sentinels or nodes of a Cluster that know it
/// @param name by which Sentinels know the master; of the keys in a Cluster; "" for a server
/// @param database 0 or more; 0 in a Cluster
/// @param login to the server
/// @param sentinelLogin to the Sentinels
/// @param tls null without TLS
/// @param namespace of all keys, which a connection puts before them; "" for none, as in a Cluster
public record RedisAddress(
        Kind kind,
        List<Place> places,
        String name,
        int database,
        Login login,
        Login sentinelLogin,
        @Nullable RedisTls tls,
        String namespace) {
    public RedisAddress {
        Objects.requireNonNull(kind, "kind");
        places = List.copyOf(places);
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(login, "login");
        Objects.requireNonNull(sentinelLogin, "sentinelLogin");
        if (!namespace.isEmpty()) {
            Namespace.check(namespace);
        }
        if (kind == Kind.CLUSTER && !namespace.isEmpty()) {
            throw new IllegalArgumentException(
                    "in a Cluster the name in the URL stands for a namespace: give none");
        }
        if (places.isEmpty()) {
            throw new IllegalArgumentException("no place");
        }
    }

    /// Without a namespace.
    public RedisAddress(
            Kind kind,
            List<Place> places,
            String name,
            int database,
            Login login,
            Login sentinelLogin,
            @Nullable RedisTls tls) {
        this(kind, places, name, database, login, sentinelLogin, tls, "");
    }

    /// The kinds of programs that answer at the places.
    public enum Kind {
        /// The server itself.
        SERVER,
        /// Sentinels, which know the master.
        SENTINELS,
        /// Nodes of a Cluster, which know the one that has the keys.
        CLUSTER
    }

    /// A host and a port, or the file of a Unix socket.
    ///
    /// @param host name or address; or the absolute path of the file
    /// @param port 1 to 65535; 0 for a file
    public record Place(String host, int port) {
        public Place {
            Objects.requireNonNull(host, "host");
        }

        static Place ofFile(String path) {
            return new Place(path, 0);
        }

        boolean isFile() {
            return port == 0;
        }

        @Override
        public String toString() {
            return isFile() ? host : hostAndPort();
        }

        private String hostAndPort() {
            return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
        }
    }

    /// A user and a password.
    ///
    /// @param user ACL user; null for the default user
    /// @param password null when none is needed; never part of `toString`
    public record Login(@Nullable String user, @Nullable String password) {
        static final Login NONE = new Login(null, null);

        @Override
        public String toString() {
            return user == null && password == null ? "no login" : "a login";
        }
    }

    /// Reads a URL such as `redis://:secret@10.0.0.5:6379/2`, see `RedisUrl`.
    ///
    /// @throws IllegalArgumentException with a message for the operator, without a password
    public static RedisAddress parse(String url) {
        return RedisUrl.parse(url);
    }

    /// The same place, with a namespace before all keys.
    ///
    /// @param name not empty
    /// @throws IllegalArgumentException with a message for the operator
    public RedisAddress withNamespace(String name) {
        Namespace.check(name);
        return new RedisAddress(kind, places, this.name, database, login, sentinelLogin, tls, name);
    }

    /// The same place alone.
    public RedisAddress withoutNamespace() {
        return new RedisAddress(kind, places, name, database, login, sentinelLogin, tls);
    }

    /// Reads the files of TLS, if there are any, as each connection will.
    ///
    /// @throws RedisTls.Unusable when one is missing or no such file
    public void checkFiles() {
        if (tls != null) {
            SSLContext _ = tls.context();
        }
    }

    /// Whether it names the same server and database; logins, TLS and namespaces may differ.
    public boolean isSamePlace(RedisAddress other) {
        return kind == other.kind
                && name.equals(other.name)
                && database == other.database
                && !Collections.disjoint(places, other.places);
    }

    boolean isFile() {
        return places.getFirst().isFile();
    }

    /// Whether it is a Cluster, in which all keys have one slot.
    public boolean isCluster() {
        return kind == Kind.CLUSTER;
    }

    /// What stands before each key in Redis. In a Cluster its braces have all keys be of one slot:
    /// see https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec/#hash-tags
    public String keyPrefix() {
        if (isCluster()) {
            return "{" + name + "}:";
        }
        return namespace.isEmpty() ? "" : namespace + ":";
    }

    /// Whether its URL has a password in it.
    public boolean hasPassword() {
        return login.password() != null || sentinelLogin.password() != null;
    }

    /// Whether any certificate of Redis will do.
    public boolean isUnverified() {
        return tls != null && !tls.isVerified();
    }

    /// The host of the one place, or of the first of several; see `Place`.
    public String host() {
        return places.getFirst().host();
    }

    /// The port of the one place, or of the first of several.
    public int port() {
        return places.getFirst().port();
    }

    /// The whole URL, password and all, for another program that logs in itself. It says nothing of
    /// a namespace. Not for logs.
    public String url() {
        return RedisUrl.of(this);
    }

    /// The address without logins and files, fit for logs.
    @Override
    public String toString() {
        String url = RedisUrl.withoutLogin(this);
        return namespace.isEmpty() ? url : url + " in the namespace " + namespace;
    }
}
