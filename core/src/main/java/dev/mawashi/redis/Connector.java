package dev.mawashi.redis;

import java.net.Socket;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.ClientSetInfoConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.DefaultJedisSocketFactory;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.RedisProtocol;
import redis.clients.jedis.SslOptions;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisProtocolNotSupportedException;

/// Opens sockets to one Redis and logs in there. Says in Redis's words, or ours, why it cannot. One
/// thread's.
final class Connector {
    private final RedisAddress address;
    private final JedisClientConfig config;
    private @Nullable Socket last;

    /// @param name what `CLIENT LIST` shows
    /// @param timeout longest wait for a connect or for one reply
    Connector(RedisAddress address, String name, Duration timeout) {
        this.address = address;
        config =
                DefaultJedisClientConfig.builder()
                        .protocol(RedisProtocol.RESP2)
                        .clientSetInfoConfig(ClientSetInfoConfig.DISABLED)
                        .connectionTimeoutMillis((int) timeout.toMillis())
                        .socketTimeoutMillis((int) timeout.toMillis())
                        .database(address.database())
                        .user(address.user())
                        .password(address.password())
                        .sslOptions(address.isTls() ? SslOptions.defaults() : null)
                        .clientName(name)
                        .build();
    }

    /// @throws RedisFailure when it cannot
    BoundedConnection connect() {
        HostAndPort place = new HostAndPort(address.host(), address.port());
        try {
            DefaultJedisSocketFactory sockets = new DefaultJedisSocketFactory(place, config);
            return new BoundedConnection(() -> last = sockets.createSocket(), config);
        } catch (JedisProtocolNotSupportedException e) {
            throw RedisFailure.tooOld(address, e);
        } catch (JedisDataException e) {
            // Redis answered the log-in with an error: wrong password, no such database, loading.
            throw RedisFailure.refused(String.valueOf(e.getMessage()), e);
        } catch (JedisException e) {
            throw RedisFailure.notSent("cannot reach " + address + ": " + rootMessage(e), e);
        } catch (RuntimeException e) {
            throw RedisFailure.notSent(
                    "cannot reach " + address + ": what answers there is no Redis", e);
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
