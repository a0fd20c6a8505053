package dev.mawashi.cli;

import dev.mawashi.operate.Operator;
import dev.mawashi.operate.Places;
import dev.mawashi.operate.QueueOperator;
import dev.mawashi.redis.RedisConnection;
import java.time.InstantSource;

/// Jobs that wait in a queue.
abstract class WaitingChoice implements JobChoice {
    abstract String queue();

    @Override
    public final String place() {
        return Places.ofQueue(queue());
    }

    @Override
    public final String shownPlace() {
        return "queue " + queue();
    }

    @Override
    public final Operator operator(RedisConnection connection, InstantSource clock) {
        return new QueueOperator(queue(), connection);
    }
}
