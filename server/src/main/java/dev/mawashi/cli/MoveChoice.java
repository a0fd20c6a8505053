package dev.mawashi.cli;

import dev.mawashi.operate.Change;
import dev.mawashi.operate.Selection;
import dev.mawashi.wire.Keys;
import java.time.Instant;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// Jobs that wait in a queue and go to another: `queues move FROM TO`.
final class MoveChoice extends WaitingChoice {
    @Parameters(index = "0", paramLabel = "FROM", description = "Name of the queue.")
    private String queue = "";

    @Parameters(index = "1", paramLabel = "TO", description = "Name of the other queue.")
    private String other = "";

    @Mixin private JobFilter filter = new JobFilter();

    @Override
    String queue() {
        return queue;
    }

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
    public WrongKey.Wanted key() {
        return new WrongKey.Wanted(Keys.queue(queue) + " or " + Keys.queue(other), "list");
    }
}
