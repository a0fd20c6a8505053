package dev.mawashi.cli;

import dev.mawashi.broker.Acknowledging;
import dev.mawashi.figures.Inspector;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.redisfacts.Durability;
import java.time.Duration;
import java.time.InstantSource;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The flags `--ack` and `--timeout`: where jobs must be stored before a push succeeds.
final class AckOption {
    private static final Pattern REPLICAS = Pattern.compile("replicas:([1-9]\\d{0,2})");
    private static final String DISK = "disk";
    private static final double TIMEOUT_SECONDS = 5;
    private static final double TIMEOUT_SECONDS_MAX = 3_600;

    @Option(
            names = "--ack",
            paramLabel = "LEVEL",
            description =
                    "Wait until the jobs are on the disk of Redis (disk) or with N replicas"
                            + " (replicas:N); exits with 1 if that takes too long, though the"
                            + " jobs are enqueued.")
    private @Nullable String level;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            description = "Longest wait for --ack (5).")
    private @Nullable Double timeoutSeconds;

    /// The level that a push reached.
    ///
    /// @param level `memory`, `disk`, or `replicas:N`, N being the replicas that have the jobs
    /// @param isEnough whether the level is at least the one that `--ack` asks for
    record Reached(String level, boolean isEnough) {}

    boolean isGiven() {
        return level != null;
    }

    /// The level that was asked for.
    String wanted() {
        return String.valueOf(level);
    }

    /// Checks the flags by themselves, without Redis.
    ///
    /// @throws WrongUse when a flag's value is not valid
    void check() {
        if (level == null && timeoutSeconds != null) {
            throw new WrongUse("--timeout goes with --ack disk or --ack replicas:N");
        }
        if (level != null && !level.equals(DISK) && !REPLICAS.matcher(level).matches()) {
            throw new WrongUse("--ack " + level + " is neither disk nor replicas:N (N from 1)");
        }
        if (timeoutSeconds != null
                && !(timeoutSeconds >= 0.001 && timeoutSeconds <= TIMEOUT_SECONDS_MAX)) {
            throw new WrongUse("--timeout " + timeoutSeconds + " must be 0.001 to 3600 seconds");
        }
    }

    /// Checks, before anything is pushed, that this Redis can reach the level.
    ///
    /// @param connection that the jobs will go over
    /// @throws CommandFailure when it cannot
    void prepare(RedisConnection connection, Acknowledging acks) {
        Inspector inspector = new Inspector(connection, InstantSource.system());
        Durability durability = inspector.durability();
        int replicas = replicas();
        if (replicas > durability.replicas()) {
            throw new CommandFailure(
                    "nothing was enqueued: --ack "
                            + level
                            + " cannot be reached, Redis has "
                            + durability.replicas()
                            + " connected");
        }
        acks.begin();
        if (replicas == 0 && durability.grade() != Durability.Grade.AOF_ALWAYS) {
            try {
                acks.probeDisk();
            } catch (RedisFailure refused) {
                if (refused.kind() != RedisFailure.Kind.REFUSED) {
                    throw refused;
                }
                throw new CommandFailure(
                        "nothing was enqueued: --ack disk cannot be reached by Redis "
                                + inspector.serverVersion()
                                + " with "
                                + durability.describe().split(":|;", 2)[0]
                                + " (set appendfsync always, or use Redis 7.2, or Valkey, with"
                                + " appendonly yes)");
            }
        }
    }

    /// Waits until the level is reached or `patience` is over. To be called once all jobs are
    /// pushed.
    Reached await(RedisConnection connection, Acknowledging acks) {
        Duration patience = patience();
        int replicas = replicas();
        try {
            if (replicas > 0) {
                long having = acks.awaitReplicas(replicas, patience);
                return new Reached(
                        having < 0 ? "memory" : "replicas:" + having, having >= replicas);
            }
            // With appendfsync always Redis answers a push only once the jobs are on disk.
            boolean isOnDisk =
                    isAlways(connection) ? acks.isSameConnection() : acks.awaitDisk(patience);
            return new Reached(isOnDisk ? DISK : "memory", isOnDisk);
        } catch (RedisFailure _) {
            return new Reached("memory", false);
        }
    }

    private static boolean isAlways(RedisConnection connection) {
        return new Inspector(connection, InstantSource.system()).durability().grade()
                == Durability.Grade.AOF_ALWAYS;
    }

    private int replicas() {
        Matcher matcher = REPLICAS.matcher(wanted());
        return matcher.matches() ? Integer.parseInt(matcher.group(1)) : 0;
    }

    /// How long `await` waits at most.
    Duration patience() {
        double seconds = timeoutSeconds == null ? TIMEOUT_SECONDS : timeoutSeconds;
        return Duration.ofMillis(Math.round(seconds * 1_000));
    }
}
