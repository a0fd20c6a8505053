package dev.mawashi.cli;

import dev.mawashi.operate.Selection;
import dev.mawashi.wire.Keys;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// Jobs that wait in a queue: `queues delete QUEUE JID`.
final class QueueChoice extends WaitingChoice {
    @Parameters(index = "0", paramLabel = "QUEUE", description = "Name of the queue.")
    private String queue = "";

    @Parameters(index = "1..*", paramLabel = "JID", description = "Ids of jobs.")
    private List<String> jids = new ArrayList<>();

    @Mixin private JobFilter filter = new JobFilter();

    @Override
    String queue() {
        return queue;
    }

    @Override
    public Selection selection(Instant now) {
        return filter.ofQueue(jids, now);
    }

    @Override
    public String flags() {
        return "their JIDs, or " + JobFilter.FLAGS;
    }

    @Override
    public WrongKey.Wanted key() {
        return new WrongKey.Wanted(Keys.queue(queue), "list");
    }
}
