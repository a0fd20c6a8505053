package dev.mawashi.cli;

import dev.mawashi.operate.Change;
import dev.mawashi.operate.Operator;
import dev.mawashi.operate.Places;
import dev.mawashi.operate.QueueOperator;
import dev.mawashi.operate.Selection;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.wire.Keys;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// Jobs that wait in a queue and go to another: `queues move FROM TO`.
final class MoveChoice implements JobChoice {
    @Parameters(index = "0", paramLabel = "FROM", description = "Name of the queue.")
    private String queue = "";

    @Parameters(index = "1", paramLabel = "TO", description = "Name of the other queue.")
    private String other = "";

    @Mixin private JobFilter filter = new JobFilter();

    @Override
    public Selection selection(Instant now) {
        return filter.ofQueue(List.of(), now);
    }

    @Override
    public String flags() {
        return JobFilter.FLAGS;
    }

    /// @throws WrongUse when there is no other queue
    @Override
    public Change change(Change change) {
        if (queue.equals(other) || other.isBlank()) {
            throw new WrongUse("to which other queue? FROM and TO are the same, or TO is empty");
        }
        return Change.to(change.act(), other);
    }

    @Override
    public String place() {
        return Places.ofQueue(queue);
    }

    @Override
    public String shownPlace() {
        return "queue " + queue;
    }

    @Override
    public WrongKey.Wanted key() {
        return new WrongKey.Wanted(Keys.queue(queue) + " or " + Keys.queue(other), "list");
    }

    @Override
    public Operator operator(RedisConnection connection, InstantSource clock) {
        return new QueueOperator(queue, connection);
    }
}
