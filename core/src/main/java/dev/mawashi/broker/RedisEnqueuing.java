package dev.mawashi.broker;

import static dev.mawashi.redis.RedisConnection.ascii;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.wire.Keys;
import dev.mawashi.wire.QueueLayout;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Enqueueing into Redis with the plain commands that Sidekiq's and Resque's clients send. They
/// carry no `allow-oom`, so a full server refuses new jobs and goes on letting workers drain it.
final class RedisEnqueuing implements Enqueuing {
    private static final byte[] LPUSH = ascii("LPUSH");
    private static final byte[] RPUSH = ascii("RPUSH");
    private static final byte[] SADD = ascii("SADD");
    private static final byte[] ZADD = ascii("ZADD");
    private static final byte[] SCHEDULE = Keys.bytes(Keys.SCHEDULE);
    private static final int JOBS_PER_COMMAND = 1_000;

    private final RedisConnection connection;
    private final QueueLayout layout;
    private final byte[] names;

    /// The number of the call that handed in each command that waits to be sent.
    private final List<Integer> places = new ArrayList<>();

    private int calls;

    RedisEnqueuing(RedisConnection connection, QueueLayout layout) {
        this.connection = connection;
        this.layout = layout;
        names = Keys.bytes(layout.names());
    }

    @Override
    public void push(String queue, List<byte[]> payloads) {
        queue(SADD, names, Keys.bytes(queue));
        byte[] key = Keys.bytes(layout.queue(queue));
        for (int from = 0; from < payloads.size(); from += JOBS_PER_COMMAND) {
            int to = Math.min(payloads.size(), from + JOBS_PER_COMMAND);
            byte[][] command = new byte[2 + to - from][];
            command[0] = layout.nextIsLeft() ? RPUSH : LPUSH;
            command[1] = key;
            for (int i = from; i < to; i++) {
                command[2 + i - from] = payloads.get(i);
            }
            queue(command);
        }
        calls++;
    }

    @Override
    public void schedule(Instant due, byte[] payload) {
        queue(ZADD, SCHEDULE, ascii(seconds(due)), payload);
        calls++;
    }

    private void queue(byte[]... command) {
        connection.queue(command);
        places.add(calls);
    }

    /// As exact as the app's client has it: a gem may look for the job by that time. What never
    /// comes is beyond every number, as Sidekiq writes it.
    static String seconds(Instant due) {
        if (due.equals(Instant.MAX)) {
            return "inf";
        }
        return String.format(Locale.ROOT, "%d.%09d", due.getEpochSecond(), due.getNano());
    }

    @Override
    public Map<Integer, RedisFailure> flush() {
        List<Integer> sent = List.copyOf(places);
        places.clear();
        calls = 0;
        Map<Integer, RedisFailure> refused = new HashMap<>();
        List<@Nullable Object> replies = connection.flush();
        for (int i = 0; i < replies.size(); i++) {
            if (replies.get(i) instanceof RedisFailure refusal) {
                refused.putIfAbsent(sent.get(i), refusal);
            }
        }
        return refused;
    }

    @Override
    public void close() {
        places.clear();
        calls = 0;
        connection.close();
    }
}
