package dev.mawashi.cli;

import dev.mawashi.broker.RedisBroker;
import dev.mawashi.operate.FailureOperator;
import dev.mawashi.operate.Operator;
import dev.mawashi.operate.Places;
import dev.mawashi.operate.Selection;
import dev.mawashi.redis.RedisConnection;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import picocli.CommandLine.Mixin;

/// Resque's failed jobs: `failed remove`.
final class FailureChoice implements JobChoice {
    @Mixin private FailureFilter filter = new FailureFilter();

    @Override
    public Selection selection(Instant now) {
        return filter.selection(now);
    }

    @Override
    public String flags() {
        return FailureFilter.FLAGS;
    }

    @Override
    public String place() {
        return Places.FAILED;
    }

    @Override
    public String shownPlace() {
        return filter.keys().failed();
    }

    @Override
    public WrongKey.Wanted key() {
        return new WrongKey.Wanted(
                filter.keys().failed(),
                "list (or, if it is one, the queue that jobs go to is none)");
    }

    @Override
    public RedisBroker broker(CommandContext context, RedisOption redis) {
        return context.resqueBroker(redis);
    }

    @Override
    public Operator operator(RedisConnection connection, InstantSource clock) {
        return new FailureOperator(filter.keys(), connection, clock, ZoneId.systemDefault());
    }
}
