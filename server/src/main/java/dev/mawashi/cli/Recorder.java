package dev.mawashi.cli;

import dev.mawashi.broker.RedisBroker;
import dev.mawashi.operate.Audit;
import dev.mawashi.operate.Author;
import dev.mawashi.operate.Progress;
import dev.mawashi.operate.Report;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.tables.AuditLog;
import dev.mawashi.tables.Keeping;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.function.Supplier;

/// Records in Redis what a command changes, in the name of `user@host`.
final class Recorder implements AutoCloseable {
    private final RedisConnection connection;
    private final Audit audit;
    private final Author author;

    Recorder(RedisBroker broker, InstantSource clock, String user) {
        connection = broker.connect("audit");
        audit = new Audit(new AuditLog(connection), clock, new SecureRandom());
        author = new Author(user, "command line", "-");
    }

    /// Does the change of a command.
    interface Deed {
        Report perform(Keeping keeping, Progress progress);
    }

    /// Does it and records it.
    ///
    /// @throws CommandFailure when Redis did not report whether it was done
    Report record(Audit.Intent intent, Deed deed) {
        try {
            return audit.record(
                            author,
                            intent,
                            (keeping, progress) -> Audit.Came.to(deed.perform(keeping, progress)))
                    .report();
        } catch (RedisFailure failure) {
            if (failure.kind() == RedisFailure.Kind.UNKNOWN) {
                throw new CommandFailure(
                        failure.reason()
                                + ": it may be done, in part or in whole, see what is left with"
                                + " mawashi stats before you call it again");
            }
            throw failure;
        }
    }

    /// Does what no report counts, and records it with the words that come of it.
    void record(Audit.Intent intent, Supplier<String> deed) {
        audit.record(author, intent, (_, _) -> new Audit.Came(Report.NOTHING, deed.get()));
    }

    /// Records what has been done already, in words.
    void note(Audit.Intent intent, Report report, String detail) {
        audit.record(author, intent, (_, _) -> new Audit.Came(report, detail));
    }

    Audit audit() {
        return audit;
    }

    RedisConnection connection() {
        return connection;
    }

    @Override
    public void close() {
        connection.close();
    }
}
