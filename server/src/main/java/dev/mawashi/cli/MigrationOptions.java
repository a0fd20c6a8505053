package dev.mawashi.cli;

import dev.mawashi.redis.RedisAddress;
import dev.mawashi.wire.QueueLayout;
import dev.mawashi.wire.ResqueKeys;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The flags that say what is migrated from which Redis to which.
final class MigrationOptions {
    @Option(
            names = "--from",
            paramLabel = "URL",
            description =
                    "The Redis with the jobs. Without it, the variable FROM_REDIS_URL, or the file"
                            + " that FROM_REDIS_URL_FILE names.")
    private String from = "";

    @Option(
            names = "--to",
            paramLabel = "URL",
            description =
                    "The Redis that gets them; it may have jobs of the app by now. Without it,"
                            + " TO_REDIS_URL, or the file that TO_REDIS_URL_FILE names.")
    private String to = "";

    @Option(
            names = "--from-namespace",
            paramLabel = "NAME",
            description = "The namespace of the keys there. MAWASHI_NAMESPACE does not count.")
    private String fromNamespace = "";

    @Option(
            names = "--to-namespace",
            paramLabel = "NAME",
            description = "The namespace of the keys in the other one.")
    private String toNamespace = "";

    @Option(
            names = "--resque",
            description =
                    "Moves Resque's keys and resque-scheduler's in place of Sidekiq's; processes are"
                            + " then Resque's workers.")
    private boolean isResque;

    @Option(
            names = "--resque-namespace",
            paramLabel = "NAME",
            description = "The namespace of Resque's keys (resque).")
    private @Nullable String resqueNamespace;

    @Option(
            names = "--to-resque-namespace",
            paramLabel = "NAME",
            description =
                    "The namespace that Resque's keys get in the other one, which may be the"
                            + " same Redis. Without it, the same.")
    private @Nullable String toResqueNamespace;

    /// The layout of the queues that are moved.
    ///
    /// @throws WrongUse when a namespace is not valid, or is for other queues
    QueueLayout layout(RedisAddress from, RedisAddress to) {
        if (!isResque) {
            refuseWithoutResque("--resque-namespace", resqueNamespace);
            refuseWithoutResque("--to-resque-namespace", toResqueNamespace);
            return QueueLayout.SIDEKIQ;
        }
        refuse("--from-namespace", from);
        refuse("--to-namespace", to);
        return resqueNamespace == null
                ? ResqueKeys.DEFAULT.layout()
                : layout("--resque-namespace", resqueNamespace);
    }

    /// The layout of the same queues in the other Redis.
    ///
    /// @throws WrongUse when the namespace there is not valid
    QueueLayout layoutThere(QueueLayout layout) {
        return toResqueNamespace == null
                ? layout
                : layout("--to-resque-namespace", toResqueNamespace);
    }

    /// What is said of the other Redis beside its address.
    String renamed() {
        return toResqueNamespace == null ? "" : " in Resque's namespace " + toResqueNamespace;
    }

    private static QueueLayout layout(String flag, String namespace) {
        try {
            return new ResqueKeys(namespace).layout();
        } catch (IllegalArgumentException wrong) {
            throw new WrongUse(flag + ": " + wrong.getMessage());
        }
    }

    private static void refuseWithoutResque(String flag, @Nullable String namespace) {
        if (namespace != null) {
            throw new WrongUse(flag + " goes with --resque");
        }
    }

    private static void refuse(String flag, RedisAddress address) {
        if (!address.namespace().isEmpty()) {
            throw new WrongUse(
                    flag + " is of Sidekiq's keys, and these jobs are Resque's: give none");
        }
        if (address.isCluster()) {
            throw new WrongUse(CommandContext.NO_RESQUE);
        }
    }

    /// @throws WrongUse when it is not given, or wrongly
    RedisAddress from(Map<String, String> environment) {
        return in(
                "--from-namespace",
                fromNamespace,
                RedisOption.address("--from", from, "FROM_REDIS_URL", environment));
    }

    /// @throws WrongUse when it is not given, or wrongly
    RedisAddress to(Map<String, String> environment) {
        return in(
                "--to-namespace",
                toNamespace,
                RedisOption.address("--to", to, "TO_REDIS_URL", environment));
    }

    private static RedisAddress in(String flag, String namespace, RedisAddress address) {
        if (namespace.isEmpty()) {
            return address;
        }
        try {
            return address.withNamespace(namespace);
        } catch (IllegalArgumentException wrong) {
            throw new WrongUse(flag + ": " + wrong.getMessage());
        }
    }
}
