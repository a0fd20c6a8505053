package dev.mawashi.server;

import dev.mawashi.answer.Answers;
import dev.mawashi.children.ChildFailure;
import dev.mawashi.config.CapsulePlan;
import dev.mawashi.config.ConfigFailure;
import dev.mawashi.config.RestartChoice;
import dev.mawashi.config.RunnerChoice;
import dev.mawashi.cron.CronFile;
import dev.mawashi.dispatch.Capsule;
import dev.mawashi.fleet.ReloadView;
import dev.mawashi.job.Dialect;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.ruby.AppSettings;
import dev.mawashi.ruby.AppSettings.Pool;
import dev.mawashi.ruby.RubyBootFailure;
import dev.mawashi.wire.RedactionRule;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Has a running server go by its settings files as they are now: the order of queues, limits,
/// rules on what is hidden, schedules and the level of the log change while it works, the rest is
/// named. All or nothing: where a file cannot be followed nothing changes.
///
/// The files are read on a thread of their own, since ERB in one may hang. A restart by processes
/// of Ruby takes over the settings of the new code in the same way. Safe for any thread.
final class Reload {
    private static final System.Logger LOG = System.getLogger(Reload.class.getName());

    /// For the files.
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final Apps apps;
    private final Sides sides;
    private final Restarts restarts;
    private final ServerSettings start;
    private final SharedRules rules;
    private final Function<Path, ServerSettings> reader;

    /// Level, schedules and Resque's capsule as they are by now; the others know theirs.
    private Level level;

    private CronFile cron;
    private @Nullable CapsulePlan resque;
    private @Nullable CompletableFuture<FilesRead> reading;

    /// Those of new code that is about to take the jobs.
    private @Nullable FilesRead next;

    /// @param resque null where only Sidekiq's queues are served
    record Sides(SidekiqSide sidekiq, @Nullable ResqueSide resque) {}

    /// @param reader see `FilesRead.of`
    Reload(
            Apps apps,
            Sides sides,
            Restarts restarts,
            Shared shared,
            Function<Path, ServerSettings> reader) {
        this.apps = apps;
        this.sides = sides;
        this.restarts = restarts;
        this.reader = reader;
        start = shared.settings();
        rules = shared.rules();
        level = start.logLevel();
        cron = start.runners().cron();
    }

    /// Reads the files and takes over what can change.
    ///
    /// @throws Answers.Unanswerable when they cannot be followed; nothing is changed then
    ReloadView run() {
        try {
            ReloadView view = follow(read());
            LOG.log(Level.INFO, "reload: " + describe(view));
            return view;
        } catch (Answers.Unanswerable | RedisFailure refused) {
            LOG.log(Level.WARNING, "reload: nothing is changed: " + refused.getMessage());
            throw new Answers.Unanswerable(String.valueOf(refused.getMessage()));
        }
    }

    /// Looks at the settings of new code, for `takeOver`.
    ///
    /// @throws ChildFailure when they cannot be followed
    void look(AppSettings told) {
        try {
            FilesRead read = FilesRead.of(apps, reader, told);
            synchronized (this) {
                next = read;
            }
        } catch (ConfigFailure | StartFailure refused) {
            throw new ChildFailure(String.valueOf(refused.getMessage()));
        }
    }

    /// Takes over what can change of the settings that `look` has seen.
    synchronized void takeOver() {
        try {
            ReloadView view = follow(Objects.requireNonNull(next));
            if (!view.changed().isEmpty() || !view.atStart().isEmpty()) {
                LOG.log(Level.INFO, "restart: " + describe(view));
            }
        } catch (RedisFailure failed) {
            LOG.log(
                    Level.WARNING,
                    "restart: the settings stay as they were: " + failed.getMessage());
        }
    }

    private synchronized ReloadView follow(FilesRead read) {
        Changes changes = compare(read);
        List<RedactionRule> redact = read.server().runners().redact();
        if (!redact.equals(rules.rules())) {
            // First, since this alone may fail.
            rules.replace(redact);
        }
        ReloadView view = changes.make();
        adopt(read);
        return view;
    }

    private static String describe(ReloadView view) {
        String changed = String.join("; ", view.changed());
        String later = String.join("; ", view.atStart());
        if (later.isEmpty()) {
            return changed.isEmpty() ? "nothing has changed" : changed;
        }
        return (changed.isEmpty() ? "" : changed + "; ") + "at the next start only: " + later;
    }

    private FilesRead read() {
        if (reading != null && !reading.isDone()) {
            throw new Answers.Unanswerable(
                    "it still reads the files for an earlier question: look for code in"
                            + " config/sidekiq.yml that waits");
        }
        CompletableFuture<FilesRead> begun = new CompletableFuture<>();
        reading = begun;
        Thread thread =
                Thread.ofPlatform().daemon().name("mawashi-reload-1").start(() -> fill(begun));
        try {
            // A process that reads them has its end before that.
            return begun.get(2 * LIMIT.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException failed) {
            throw refusal(Objects.requireNonNullElse(failed.getCause(), failed));
        } catch (TimeoutException _) {
            thread.interrupt();
            throw new Answers.Unanswerable(
                    "its files were not read within %s s: look for code in config/sidekiq.yml that"
                                    .formatted(2 * LIMIT.toSeconds())
                            + " waits");
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new Answers.Unanswerable("it ends");
        }
    }

    private void fill(CompletableFuture<FilesRead> begun) {
        try {
            begun.complete(FilesRead.of(apps, reader, LIMIT));
        } catch (RuntimeException | Error failed) {
            begun.completeExceptionally(failed);
        }
    }

    private static RuntimeException refusal(Throwable cause) {
        return switch (cause) {
            case ConfigFailure _, StartFailure _, RubyBootFailure _, ChildFailure _ ->
                    new Answers.Unanswerable(
                            String.valueOf(cause.getMessage()).lines().findFirst().orElse(""));
            default -> new IllegalStateException("cannot read the settings: " + cause, cause);
        };
    }

    private Changes compare(FilesRead read) {
        Changes changes = new Changes();
        compareCapsules(read, changes);
        compareResque(read, changes);
        compareServer(read.server(), changes);
        compareApp(read.app(), changes);
        return changes;
    }

    private void compareCapsules(FilesRead read, Changes changes) {
        List<Capsule> capsules = sides.sidekiq().capsules();
        List<CapsulePlan> before = apps.plans();
        Map<String, CapsulePlan> wanted = new HashMap<>();
        read.capsules().forEach(plan -> wanted.put(plan.name(), plan));
        CapsuleChanges each = new CapsuleChanges(changes, apps);
        // Without capsules only Resque's queues are served.
        for (int i = 0; i < capsules.size(); i++) {
            CapsulePlan was = before.get(i);
            CapsulePlan now = wanted.remove(was.name());
            if (now == null) {
                changes.atStart("capsule " + was.name() + " goes");
                continue;
            }
            each.size(was, now);
            each.queues(capsules.get(i), now, sides.sidekiq()::serve);
            each.times(capsules.get(i), Limits.ofTime(now, read.server().runners().queues()));
            each.children(was, now, Dialect.SIDEKIQ);
        }
        if (!capsules.isEmpty()) {
            wanted.keySet().stream().sorted().forEach(name -> changes.atStart("capsule " + name));
        } else if (Pools.servesSidekiq(read.server(), read.app())) {
            changes.atStart("Sidekiq's queues");
        }
    }

    private void compareResque(FilesRead read, Changes changes) {
        ResqueSettings now = read.server().resque();
        ResqueSettings was = start.resque();
        ResqueSide side = sides.resque();
        if (now == null || was == null || side == null) {
            if (now != was) {
                changes.atStart("Resque's queues");
            }
            return;
        }
        if (!was.queues().describe().equals(now.queues().describe())
                || !was.keys().namespace().equals(now.keys().namespace())) {
            changes.atStart("queues and namespace of resque");
        }
        CapsulePlan before = Objects.requireNonNullElse(resque, was.plan());
        CapsuleChanges capsule = new CapsuleChanges(changes, apps);
        capsule.size(before, now.plan());
        side.capsules().forEach(one -> capsule.times(one, now.limits()));
        capsule.children(before, now.plan(), Dialect.RESQUE);
    }

    private void compareServer(ServerSettings now, Changes changes) {
        RunnerChoice file = now.runners();
        if (!file.redact().equals(rules.rules())) {
            int count = file.redact().size();
            changes.live("redact: " + count + (count == 1 ? " rule" : " rules"), () -> {});
        }
        if (now.app().hidesArguments() != start.app().hidesArguments()) {
            changes.atStart("redact in the app's own log lines");
        }
        RestartChoice restart = file.restart();
        if (!restart.equals(restarts.limits())) {
            changes.live("limits of restart", () -> restarts.limit(restart));
        }
        if (now.logLevel() != level) {
            changes.live(
                    "log_level: " + Logging.word(now.logLevel()), () -> follow(now.logLevel()));
        }
        List<String> schedules = CronChanges.of(cron, file.cron());
        if (!schedules.isEmpty()) {
            changes.live(schedules, () -> follow(file));
        }
        differ("connections", start.runners().connections(), file.connections(), changes);
        differ("ruby", start.runners().ruby(), file.ruby(), changes);
        differ("java_classpath", start.runners().javaClassPath(), file.javaClassPath(), changes);
    }

    private void follow(Level present) {
        level = present;
        Logging.level(present);
    }

    private void follow(RunnerChoice present) {
        cron = present.cron();
        sides.sidekiq().follow(present);
    }

    private void compareApp(AppSettings now, Changes changes) {
        AppSettings was = apps.settings();
        differ("timeout", was.timeoutSeconds(), now.timeoutSeconds(), changes);
        differ("tag", was.tag(), now.tag(), changes);
        differ("labels", was.labels(), now.labels(), changes);
        differ("max_retries", was.maxRetries(), now.maxRetries(), changes);
        differ("dead_max_jobs", was.deadMaxJobs(), now.deadMaxJobs(), changes);
        differ("dead_timeout_in_seconds", was.deadSeconds(), now.deadSeconds(), changes);
    }

    private static void differ(
            String key, @Nullable Object was, @Nullable Object now, Changes changes) {
        if (!Objects.equals(was, now)) {
            changes.atStart(key);
        }
    }

    /// The next one, and a restart, compare with what is now.
    private void adopt(FilesRead read) {
        Map<String, CapsulePlan> wanted = new HashMap<>();
        read.capsules().forEach(plan -> wanted.put(plan.name(), plan));
        List<CapsulePlan> capsules =
                apps.plans().stream()
                        .map(was -> was.taking(wanted.getOrDefault(was.name(), was)))
                        .toList();
        Map<String, Pool> pools = new HashMap<>();
        read.app().capsules().forEach(pool -> pools.put(pool.name(), pool));
        AppSettings was = apps.settings();
        apps.adopt(
                was.with(
                        was.capsules().stream()
                                .map(pool -> taking(pool, pools.getOrDefault(pool.name(), pool)))
                                .toList(),
                        read.app().periodic()),
                capsules);
        ResqueSettings resqueNow = read.server().resque();
        if (start.resque() != null && resqueNow != null) {
            CapsulePlan before = Objects.requireNonNullElse(resque, start.resque().plan());
            resque = before.taking(resqueNow.plan());
        }
    }

    private static Pool taking(Pool was, Pool now) {
        return was.queues().keySet().equals(now.queues().keySet())
                ? new Pool(was.name(), was.concurrency(), now.queues())
                : was;
    }
}
