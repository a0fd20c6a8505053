package dev.mawashi.cli;

import dev.mawashi.broker.RedisBroker;
import dev.mawashi.inspect.QueryFields;
import dev.mawashi.operate.Change;
import dev.mawashi.operate.Operator;
import dev.mawashi.operate.Selection;
import dev.mawashi.redis.RedisConnection;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;

/// The words and flags of a command that name jobs of one place.
interface JobChoice {
    /// The jobs that are meant.
    ///
    /// @throws WrongUse when a flag makes no sense
    Selection selection(Instant now);

    /// The flags that select jobs, for the error when none is given.
    String flags();

    /// The act that these words ask for, which may say more of it than its kind.
    default Change change(Change change) {
        return change;
    }

    /// The place, in the record of changes.
    String place();

    /// The same in a sentence.
    String shownPlace();

    /// The key or keys that hold the jobs, and the type that they must have, for an error.
    WrongKey.Wanted key();

    /// @throws WrongUse when no Redis or another namespace than theirs is set
    default RedisBroker broker(CommandContext context, RedisOption redis) {
        return context.broker(redis);
    }

    Operator operator(RedisConnection connection, InstantSource clock);

    /// The selection that these fields make.
    ///
    /// @throws WrongUse when a time is none
    static Selection selected(Map<String, List<String>> fields, Instant now) {
        try {
            return Selection.of(fields, now);
        } catch (QueryFields.NoTime wrong) {
            throw new WrongUse("--" + wrong.getMessage());
        }
    }
}
