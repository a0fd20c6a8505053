package dev.mawashi.redis;

import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.JedisSocketFactory;
import redis.clients.jedis.PushConsumerChain;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.util.RedisInputStream;

/// A socket to Redis that can leave a long string unread. One thread's.
final class BoundedConnection extends Connection {
    /// 0 for no limit. The library reads replies before the constructor is through, so that this
    /// has no initial value of its own.
    private int bytesMax;

    /// A reply is longer than its reader wants it to be, and the socket is of no more use.
    static final class TooLong extends JedisConnectionException {
        private static final long serialVersionUID = 1L;

        private TooLong(long bytes) {
            super("a reply of " + bytes + " bytes is left unread");
        }
    }

    BoundedConnection(JedisSocketFactory sockets, JedisClientConfig config) {
        super(sockets, config);
    }

    /// Limits the next reply, if it is a string.
    ///
    /// @param bytes at least 1
    void limitNext(int bytes) {
        bytesMax = bytes;
    }

    /// @throws TooLong when the reply is a longer string
    @Override
    protected @Nullable Object protocolRead(RedisInputStream in, PushConsumerChain consumers) {
        int most = bytesMax;
        bytesMax = 0;
        return most > 0 && in.peek((byte) '$')
                ? string(in, most)
                : super.protocolRead(in, consumers);
    }

    /// `$`, the length in bytes or -1 for none, the bytes; each line ends with CR LF: see
    /// https://redis.io/docs/latest/develop/reference/protocol-spec/#bulk-strings
    private byte @Nullable [] string(RedisInputStream in, int most) {
        in.readByte();
        long length = in.readLongCrLf();
        if (length > most) {
            throw new TooLong(length);
        }
        if (length < 0) {
            return null;
        }
        byte[] bytes = new byte[(int) length];
        int read = 0;
        while (read < bytes.length) {
            read += in.read(bytes, read, bytes.length - read);
        }
        in.readByte();
        in.readByte();
        return bytes;
    }
}
