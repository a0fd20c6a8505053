package dev.mawashi.operate;

import dev.mawashi.redis.RedisFailure;
import dev.mawashi.tables.AuditLog;
import dev.mawashi.tables.Keeping;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/// Records what operators change, in Redis and in the log. One thread's.
///
/// A change is recorded before it is made, and what it came to in the same place after: one whose
/// process dies between is there too, and can be undone as far as it came.
public final class Audit {
    private static final System.Logger LOG = System.getLogger(Audit.class.getName());

    /// A flash message is looked for among so many.
    private static final int RECENT = 100;

    private final AuditLog log;
    private final InstantSource clock;
    private final RandomGenerator chance;

    /// @param chance makes ids
    public Audit(AuditLog log, InstantSource clock, RandomGenerator chance) {
        this.log = log;
        this.clock = clock;
        this.chance = chance;
    }

    /// An act that is about to be done; as in `AuditEntry`.
    public record Intent(Act act, String place, String to, String detail) {
        public Intent(Act act, String place) {
            this(act, place, "", "");
        }
    }

    /// The result of an act.
    ///
    /// @param detail in words; "" where nothing is to be added
    public record Came(Report report, String detail) {
        public static Came to(Report report) {
            return new Came(report, "");
        }
    }

    /// Does the act between the two records.
    public interface Deed {
        /// @param keeping takes what undoing needs
        /// @param progress hears of each step
        /// @throws CancellationException when it was ended before all was done
        Came perform(Keeping keeping, Progress progress);
    }

    /// Records what is about to be done.
    public AuditEntry begin(Author author, Intent intent) {
        String id = String.format("%016x", chance.nextLong());
        AuditEntry begun =
                new AuditEntry(
                        id,
                        clock.instant(),
                        author,
                        intent.act().word(),
                        intent.place(),
                        intent.to(),
                        intent.detail(),
                        AuditEntry.State.BEGUN,
                        Report.NOTHING,
                        0);
        log.write(begun.json(), "");
        return begun;
    }

    /// Does what `begin` has recorded, and records what it came to.
    ///
    /// @throws RuntimeException what the deed threw, as an `Error`
    public AuditEntry perform(AuditEntry begun, Deed deed) {
        Keeping keeping = begun.hasWholeNames() ? Keeping.of(begun.id()) : Keeping.nothing();
        Report[] sum = {Report.NOTHING};
        try {
            Came came = deed.perform(keeping, (report, _) -> sum[0] = report);
            AuditEntry ended = begun.with(AuditEntry.State.DONE, came.report(), keeping.kept());
            return end(begun, came.detail().isEmpty() ? ended : ended.with(came.detail()));
        } catch (CancellationException _) {
            return end(begun, begun.with(AuditEntry.State.ENDED, sum[0], keeping.kept()));
        } catch (RuntimeException | Error failure) {
            AuditEntry failed = begun.with(AuditEntry.State.FAILED, sum[0], keeping.kept());
            tryEnd(begun, failed.with(words(begun, failure)), failure);
            throw failure;
        }
    }

    private static String words(AuditEntry begun, Throwable failure) {
        String said =
                failure instanceof RedisFailure known ? known.explanation() : failure.getMessage();
        String reason =
                failure instanceof Error || said == null ? "a defect of Mawashi: " + failure : said;
        return begun.detail() + (begun.detail().isEmpty() ? "" : "; ") + reason;
    }

    /// Both in one.
    public AuditEntry record(Author author, Intent intent, Deed deed) {
        return perform(begin(author, intent), deed);
    }

    /// A failure here is no news: Redis is away, or memory is still short. That the act has begun
    /// is recorded.
    private void tryEnd(AuditEntry begun, AuditEntry ended, Throwable failure) {
        try {
            if (!(failure instanceof RedisFailure)) {
                // It may have struck between a command and its reply.
                log.connectAnew();
            }
            end(begun, ended);
        } catch (RuntimeException | Error again) {
            failure.addSuppressed(again);
        }
    }

    private AuditEntry end(AuditEntry begun, AuditEntry ended) {
        LOG.log(Level.INFO, "changed: " + ended.json());
        log.write(ended.json(), begun.json());
        return ended;
    }

    /// Writes other words in the place of the details of those records in which something stands;
    /// they are the newest then.
    ///
    /// @param wanted what stands there
    /// @param isDry whether to count only
    /// @return how many
    long hide(Predicate<byte[]> wanted, String words, boolean isDry) {
        long hidden = 0;
        for (String line : log.newest(AuditLog.LINES_MAX).reversed()) {
            Optional<AuditEntry> entry = AuditEntry.parse(line);
            if (entry.isPresent() && wanted.test(line.getBytes(StandardCharsets.UTF_8))) {
                hidden++;
                if (!isDry) {
                    log.write(entry.get().with(words).json(), line);
                }
            }
        }
        return hidden;
    }

    /// The newest changes.
    public List<AuditEntry> newest(int most) {
        return log.newest(most).stream().flatMap(line -> AuditEntry.parse(line).stream()).toList();
    }

    /// One of the newest changes by its id.
    public Optional<AuditEntry> find(String id) {
        return newest(RECENT).stream().filter(entry -> entry.id().equals(id)).findFirst();
    }
}
