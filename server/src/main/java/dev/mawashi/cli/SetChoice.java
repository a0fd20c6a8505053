package dev.mawashi.cli;

import dev.mawashi.operate.Operator;
import dev.mawashi.operate.Places;
import dev.mawashi.operate.Selection;
import dev.mawashi.operate.SetOperator;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.wire.JobSet;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// Jobs of a set: `dead delete JID`.
final class SetChoice implements JobChoice {
    private final JobSet set;

    @Parameters(paramLabel = "JID", arity = "0..*", description = "Ids of jobs.")
    private List<String> jids = new ArrayList<>();

    @Mixin private JobFilter filter = new JobFilter();

    @Mixin private SetFilter setFilter = new SetFilter();

    SetChoice(JobSet set) {
        this.set = set;
    }

    @Override
    public Selection selection(Instant now) {
        return filter.ofSet(setFilter, jids, now);
    }

    @Override
    public String flags() {
        return "their JIDs, or " + JobFilter.FLAGS + ", " + SetFilter.FLAGS;
    }

    @Override
    public String place() {
        return Places.of(set);
    }

    @Override
    public String shownPlace() {
        return set.key();
    }

    @Override
    public WrongKey.Wanted key() {
        return new WrongKey.Wanted(
                set.key(),
                "sorted set (or, if it is one, the key that the jobs go to is not right)");
    }

    @Override
    public Operator operator(RedisConnection connection, InstantSource clock) {
        return new SetOperator(set, connection, clock);
    }
}
