package dev.mawashi.cli;

import dev.mawashi.operate.Operator;
import dev.mawashi.operate.Places;
import dev.mawashi.operate.QueueOperator;
import dev.mawashi.operate.Selection;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.wire.Keys;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// Jobs that wait in a queue: `queues delete QUEUE JID`.
final class QueueChoice implements JobChoice {
    @Parameters(index = "0", paramLabel = "QUEUE", description = "Name of the queue.")
    private String queue = "";

    @Parameters(index = "1..*", paramLabel = "JID", description = "Ids of jobs.")
    private List<String> jids = new ArrayList<>();

    @Mixin private JobFilter filter = new JobFilter();

    @Override
    public Selection selection(Instant now) {
        return filter.ofQueue(jids, now);
    }

    @Override
    public String flags() {
        return "their JIDs, or " + JobFilter.FLAGS;
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
        return new WrongKey.Wanted(Keys.queue(queue), "list");
    }

    @Override
    public Operator operator(RedisConnection connection, InstantSource clock) {
        return new QueueOperator(queue, connection);
    }
}
