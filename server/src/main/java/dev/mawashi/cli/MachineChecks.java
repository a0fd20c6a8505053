package dev.mawashi.cli;

import dev.mawashi.broker.DeadLimits;
import dev.mawashi.broker.RedisBroker;
import dev.mawashi.config.CapsulePlan;
import dev.mawashi.config.RunnerKind;
import dev.mawashi.lifecycle.PrivateFolder;
import dev.mawashi.redis.RedisAddress;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.redisfacts.Durability;
import dev.mawashi.redisfacts.RedisFacts;
import dev.mawashi.redisfacts.RedisFactsReader;
import dev.mawashi.server.JvmSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Looks at what a server needs beside the app: its settings, Redis, the clock, limits, memory, the
/// folder for its files, and the app's pools of database connections.
final class MachineChecks {
    private static final Path LIMITS = Path.of("/proc/self/limits");
    private static final String OPEN_FILES = "Max open files";
    private static final long OPEN_FILES_MIN = 4_096;
    private static final Duration CLOCKS_APART_MAX = Duration.ofSeconds(2);
    private static final int REDIS_MAJOR_MIN = 7;

    private final ConfigReading reading;
    private final ConfigReading.@Nullable Found found;
    private final Map<String, String> environment;
    private final InstantSource clock;
    private final List<MachineCheck> checks = new ArrayList<>();

    /// @param found null where `reading` has found mistakes
    MachineChecks(
            ConfigReading reading,
            ConfigReading.@Nullable Found found,
            Map<String, String> environment,
            InstantSource clock) {
        this.reading = reading;
        this.found = found;
        this.environment = environment;
        this.clock = clock;
    }

    /// @param app its folder
    /// @param redis null where its address has a mistake
    /// @param runners those that a server would have
    List<MachineCheck> all(Path app, @Nullable RedisAddress redis, Set<RunnerKind> runners) {
        settings();
        if (redis != null) {
            redis(redis);
        }
        openFiles();
        memory(runners);
        folder();
        new DatabasePools(environment).check(app, threads()).ifPresent(checks::add);
        return checks;
    }

    private void settings() {
        reading.mistakes()
                .forEach(mistake ->
                        checks.add(
                                MachineCheck.error(
                                        "settings", mistake, "mawashi config shows all settings")));
        if (found != null) {
            checks.add(MachineCheck.ok("settings", "no mistake found"));
        }
    }

    /// The most threads of a process that may want a database connection at once; 0 where it is not
    /// known.
    private int threads() {
        return found == null
                ? 0
                : found.plan().capsules().stream().mapToInt(MachineChecks::threads).max().orElse(0);
    }

    private static int threads(CapsulePlan plan) {
        return switch (plan.settings().kind()) {
            case FORK, JAVA -> 1;
            case JRUBY -> plan.slots();
            case MRI -> Math.ceilDiv(plan.slots(), plan.processes());
        };
    }

    private void redis(RedisAddress address) {
        RedisBroker broker = new RedisBroker(address, DeadLimits.DEFAULT);
        try (RedisFactsReader reader =
                new RedisFactsReader(broker.connect("doctor"), System::nanoTime)) {
            RedisFacts facts = reader.read();
            version(facts.version());
            durability(facts.durability());
            facts.persistence()
                    .troubles()
                    .forEach(one -> checks.add(MachineCheck.warning("redis writes", one, "")));
            clocks(broker);
        } catch (RedisFailure failure) {
            checks.add(
                    MachineCheck.error(
                            "redis",
                            failure.reason(),
                            "start it, or set --redis or REDIS_URL; --app-only leaves it out"));
        }
    }

    private void version(String version) {
        String major = version.split("\\.", -1)[0];
        boolean isOld = major.matches("\\d{1,4}") && Integer.parseInt(major) < REDIS_MAJOR_MIN;
        checks.add(
                isOld
                        ? MachineCheck.error("redis", version, "Redis 7.0, Valkey 7.2 or newer")
                        : MachineCheck.ok("redis", version));
    }

    private void durability(Durability durability) {
        if (durability.mayEvict()) {
            checks.add(
                    MachineCheck.error(
                            "redis memory",
                            "it throws jobs away when it is full: maxmemory-policy "
                                    + durability.eviction(),
                            "set maxmemory-policy to noeviction"));
        }
        checks.add(
                durability.grade().isFlushed()
                        ? MachineCheck.ok("durability", durability.describe())
                        : MachineCheck.warning(
                                "durability", durability.describe(), durability.remedy()));
    }

    private void clocks(RedisBroker broker) {
        try (RedisConnection connection = broker.connect("doctor")) {
            Instant before = clock.instant();
            Instant there = time(connection.call("TIME"));
            Instant after = clock.instant();
            Duration apart =
                    there.isBefore(before)
                            ? Duration.between(there, before)
                            : Duration.between(after, there);
            checks.add(
                    apart.compareTo(CLOCKS_APART_MAX) > 0
                            ? MachineCheck.warning(
                                    "clock",
                                    "Redis and this machine are "
                                            + apart.toSeconds()
                                            + " s apart; jobs are due by that of Redis",
                                    "have NTP set both")
                            : MachineCheck.ok("clock", "agrees with that of Redis"));
        }
    }

    private static Instant time(@Nullable Object reply) {
        if (reply instanceof List<?> parts && parts.getFirst() instanceof byte[] seconds) {
            return Instant.ofEpochSecond(
                    Long.parseLong(new String(seconds, StandardCharsets.US_ASCII)));
        }
        throw new IllegalStateException("TIME answers with " + reply);
    }

    private void openFiles() {
        Optional<String> line;
        try {
            line =
                    Files.readAllLines(LIMITS).stream()
                            .filter(one -> one.startsWith(OPEN_FILES))
                            .findFirst();
        } catch (IOException _) {
            // Another system than Linux.
            return;
        }
        String soft =
                line.map(one -> one.substring(OPEN_FILES.length()).strip().split(" +", -1)[0])
                        .orElse("unlimited");
        boolean isFew = soft.matches("\\d{1,18}") && Long.parseLong(soft) < OPEN_FILES_MIN;
        checks.add(
                isFew
                        ? MachineCheck.warning(
                                "open files",
                                soft + " for a process of this shell",
                                "ulimit -n 65536, or LimitNOFILE= of its unit")
                        : MachineCheck.ok("open files", soft));
    }

    private void memory(Set<RunnerKind> runners) {
        Set<RunnerKind> kinds = EnumSet.noneOf(RunnerKind.class);
        kinds.addAll(runners);
        String tightness = JvmSettings.tightness(kinds);
        String line = new JvmSettings(environment, "").line();
        checks.add(
                tightness.isEmpty()
                        ? MachineCheck.ok("memory", line)
                        : MachineCheck.warning("memory", line, tightness));
    }

    private void folder() {
        try (PrivateFolder folder = PrivateFolder.open(environment)) {
            checks.add(MachineCheck.ok("folder", folder.path().getParent() + " is ours alone"));
        } catch (UncheckedIOException failure) {
            checks.add(
                    MachineCheck.error(
                            "folder",
                            String.valueOf(failure.getMessage()),
                            "set TMPDIR to a folder of this user"));
        }
    }
}
