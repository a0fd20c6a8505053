package dev.mawashi.redis;

import dev.mawashi.redis.RedisAddress.Kind;
import dev.mawashi.redis.RedisAddress.Login;
import dev.mawashi.redis.RedisAddress.Place;
import java.io.IOException;
import java.net.Socket;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.ClientSetInfoConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.DefaultJedisSocketFactory;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.JedisSocketFactory;
import redis.clients.jedis.RedisProtocol;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisProtocolNotSupportedException;

/// Opens sockets to one Redis and logs in there. Says in Redis's words, or ours, why it cannot. One
/// thread's.
final class Connector {
    private final RedisAddress address;
    private final Duration timeout;
    private final String name;
    private final Runnable abort;
    private @Nullable Socket last;

    /// @param name what `CLIENT LIST` shows
    /// @param timeout longest wait for a connect or for one reply
    /// @param abort ends what a connection is used for, from any thread
    Connector(RedisAddress address, String name, Duration timeout, Runnable abort) {
        this.address = address;
        this.name = name;
        this.timeout = timeout;
        this.abort = abort;
    }

    /// @throws RedisFailure when it cannot
    BoundedConnection connect() {
        if (address.kind() == Kind.SERVER) {
            return connect(address.places().getFirst(), "" + address);
        }
        Masters masters = Masters.of(address);
        Place place = masters.master();
        BoundedConnection connection = connect(place, place + ", " + masters.titled());
        masters.opened(this, connection, place);
        return connection;
    }

    /// Makes one socket. The library asks for another, and does not log in there, when a connection
    /// that was cut is used once more.
    private static final class OneSocket implements JedisSocketFactory {
        private final JedisSocketFactory sockets;
        private boolean isMade;

        OneSocket(JedisSocketFactory sockets) {
            this.sockets = sockets;
        }

        @Override
        public Socket createSocket() {
            if (isMade) {
                throw new JedisConnectionException("the connection was cut");
            }
            isMade = true;
            return sockets.createSocket();
        }
    }

    /// Whether what `connect` returned last leads to the master still.
    boolean isCurrent() {
        return address.kind() == Kind.SERVER || Masters.of(address).isCurrent(this);
    }

    /// The connection that this made last is of no more use.
    void closed() {
        if (address.kind() != Kind.SERVER) {
            Masters.of(address).closed(this);
        }
    }

    /// Its place is no longer the right one.
    void abort() {
        abort.run();
    }

    private BoundedConnection connect(Place place, String shown) {
        return connect(place, shown, config(address.login(), address.database()));
    }

    /// @throws RedisFailure when it cannot
    BoundedConnection connectToGuide(Place place) {
        Login login = address.isCluster() ? address.login() : address.sentinelLogin();
        return connect(place, "" + place, config(login, 0));
    }

    private BoundedConnection connect(Place place, String shown, JedisClientConfig config) {
        try {
            SSLContext context = address.tls() == null ? null : address.tls().context();
            return new BoundedConnection(
                    new OneSocket(() -> last = socket(place, config, context)), config);
        } catch (JedisProtocolNotSupportedException e) {
            throw RedisFailure.tooOld(address, e);
        } catch (JedisDataException e) {
            // Redis answered the log-in with an error: wrong password, no such database, loading.
            throw RedisFailure.refused(String.valueOf(e.getMessage()), e);
        } catch (JedisException e) {
            RedisTls tls = address.tls();
            String reason = tls == null ? rootMessage(e) : tls.explained(rootMessage(e));
            throw RedisFailure.notSent("cannot reach " + shown + ": " + reason, e);
        } catch (RedisTls.Unusable e) {
            throw RedisFailure.notSent("cannot reach " + shown + ": " + e.getMessage(), e);
        } catch (RuntimeException e) {
            throw RedisFailure.notSent(
                    "cannot reach " + shown + ": what answers there is no Redis", e);
        }
    }

    private JedisClientConfig config(Login login, int database) {
        return DefaultJedisClientConfig.builder()
                .protocol(RedisProtocol.RESP2)
                .clientSetInfoConfig(ClientSetInfoConfig.DISABLED)
                .connectionTimeoutMillis((int) timeout.toMillis())
                .socketTimeoutMillis((int) timeout.toMillis())
                .database(database)
                .user(login.user())
                .password(login.password())
                .clientName(name)
                .build();
    }

    private Socket socket(Place place, JedisClientConfig config, @Nullable SSLContext context) {
        if (place.isFile()) {
            return socketOfFile(place.host());
        }
        HostAndPort there = new HostAndPort(place.host(), place.port());
        Socket socket = new DefaultJedisSocketFactory(there, config).createSocket();
        RedisTls tls = address.tls();
        if (tls == null || context == null) {
            return socket;
        }
        try {
            return tls.over(socket, place, context);
        } catch (IOException e) {
            try {
                socket.close();
            } catch (IOException _) {
                // It is of no use either way.
            }
            throw new JedisConnectionException(e);
        }
    }

    private Socket socketOfFile(String file) {
        try {
            UnixSocket socket = UnixSocket.open(file);
            socket.setSoTimeout((int) timeout.toMillis());
            return socket;
        } catch (IOException e) {
            throw new JedisConnectionException(e);
        }
    }

    /// When the first of the certificates lapses that Redis showed on the last socket; empty
    /// without TLS, and before Redis has answered.
    Optional<Instant> certificateEnd() {
        if (!(last instanceof SSLSocket socket)) {
            return Optional.empty();
        }
        try {
            Certificate[] shown = socket.getSession().getPeerCertificates();
            return Stream.of(shown)
                    .filter(X509Certificate.class::isInstance)
                    .map(one -> ((X509Certificate) one).getNotAfter().toInstant())
                    .min(Instant::compareTo);
        } catch (SSLPeerUnverifiedException _) {
            return Optional.empty();
        }
    }

    /// What went wrong in the end: the library wraps what the socket says.
    static String rootMessage(Throwable e) {
        Throwable root = e;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        String message = root.getMessage();
        return message == null ? root.getClass().getSimpleName() : message;
    }
}
