package dev.mawashi.server;

import dev.mawashi.broker.RedisBroker;
import dev.mawashi.broker.Rights;
import dev.mawashi.event.Outage;
import dev.mawashi.figures.Inspector;
import dev.mawashi.lifecycle.Backoff;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.redisfacts.Durability;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Waits until Redis answers, and refuses one that is too old or, with `--strict`, not durable
/// enough.
final class RedisGate {
    private static final System.Logger LOG = System.getLogger(RedisGate.class.getName());

    /// Error codes that waiting does not change.
    private static final Set<String> FINAL =
            Set.of("WRONGPASS", "NOAUTH", "NOPERM", "ERR", "DENIED");

    /// Redis answers this passing state with the code ERR.
    private static final String TOO_MANY = "max number of clients";

    private static final String UPGRADE =
            ": upgrade it, or try with the bundled one (mawashi redis)";

    private final RedisBroker broker;
    private final Outage outage;
    private final boolean isStrict;
    private @Nullable Durability found;

    /// @param isStrict whether to refuse a Redis that may lose more than the last two seconds, or
    ///   evict jobs
    RedisGate(RedisBroker broker, Outage outage, boolean isStrict) {
        this.broker = broker;
        this.outage = outage;
        this.isStrict = isStrict;
    }

    /// Returns when Redis is ready.
    ///
    /// @param isStopping ends the wait
    /// @return false when the wait was ended
    /// @throws StartFailure when Redis refuses us, is too old, or not durable enough
    boolean pass(BooleanSupplier isStopping) {
        Backoff backoff = new Backoff();
        while (!isStopping.getAsBoolean()) {
            try (Inspector inspector =
                    new Inspector(broker.connect("start"), InstantSource.system())) {
                check(inspector);
                outage.up();
                return true;
            } catch (RedisFailure failure) {
                if (failure.code().equals(RedisFailure.NO_PROTOCOL)) {
                    throw new StartFailure(failure.reason() + UPGRADE);
                }
                if (isFinal(failure)) {
                    throw new StartFailure(
                            "Redis refuses us: " + failure.reason() + remedy(failure));
                }
                outage.down(failure.reason());
                backoff.pause();
            }
        }
        return false;
    }

    /// Returns when Redis answers, be it with a refusal: the app may name another one.
    ///
    /// @param isStopping ends the wait
    /// @return false when the wait was ended
    boolean awaitAnswer(BooleanSupplier isStopping) {
        Backoff backoff = new Backoff();
        while (!isStopping.getAsBoolean()) {
            try (RedisConnection connection = broker.connect("start")) {
                Object _ = connection.call("PING");
                outage.up();
                return true;
            } catch (RedisFailure failure) {
                if (isFinal(failure) || failure.isOfTls()) {
                    return true;
                }
                outage.down(failure.reason());
                backoff.pause();
            }
        }
        return false;
    }

    private static boolean isFinal(RedisFailure failure) {
        return failure.code().equals(RedisFailure.NO_PROTOCOL)
                || FINAL.contains(failure.code()) && !failure.reason().contains(TOO_MANY);
    }

    private static String remedy(RedisFailure failure) {
        return failure.code().equals("NOPERM")
                ? " (give its user the ACL of the guide: redis.md, ACL)"
                : " (look at user, password and database of the Redis URL)";
    }

    private void check(Inspector inspector) {
        String tooOld = inspector.whyTooOld();
        if (!tooOld.isEmpty()) {
            throw new StartFailure(tooOld + UPGRADE);
        }
        String wrongUrl = inspector.whyWrongUrl();
        if (!wrongUrl.isEmpty()) {
            throw new StartFailure(wrongUrl);
        }
        Durability durability = inspector.durability();
        String objection = durability.objection();
        if (isStrict && objection != null) {
            throw new StartFailure("--strict: " + objection);
        }
        if (durability.mayEvict()) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "Redis may throw jobs away when it is full: maxmemory-policy is {0}, set it to"
                            + " noeviction",
                    durability.eviction());
        }
        found = durability;
    }

    /// Logs what this user may not do, though jobs need it, and which jobs survive when Redis dies.
    void report() {
        List<String> missing = Rights.missing(broker.connect("rights"), broker.keyPrefix());
        if (!missing.isEmpty()) {
            LOG.log(
                    System.Logger.Level.ERROR,
                    "Redis refuses its user {0} what jobs need, so that some do not run, or are not"
                            + " recovered after a crash: call ACL SETUSER {0} {1}",
                    broker.user(),
                    String.join(" ", missing));
        }
        if (found != null) {
            LOG.log(System.Logger.Level.INFO, "durability of Redis: " + found.describe());
        }
    }
}
