package dev.mawashi.cli;

import dev.mawashi.broker.DeadLimits;
import dev.mawashi.broker.RedisBroker;
import dev.mawashi.migrate.Ends;
import dev.mawashi.migrate.Found;
import dev.mawashi.migrate.Migrated;
import dev.mawashi.migrate.Migration;
import dev.mawashi.migrate.MigrationFailure;
import dev.mawashi.operate.Act;
import dev.mawashi.operate.Audit;
import dev.mawashi.operate.Report;
import dev.mawashi.redis.RedisAddress;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.wire.QueueLayout;
import java.io.PrintWriter;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `mawashi migrate`.
@Command(
        description = {
            "Moves an app's jobs from one Redis to another while processes work on both. No job is"
                    + " lost, and none is there twice; each queue keeps its order.",
            "It ends when nothing is left and no process beats in the first Redis. Called again"
                    + " after a crash, it goes on from there.",
        },
        footer = {
            "  mawashi migrate --from redis://old --to redis://new --dry-run",
            "  mawashi migrate --from redis://old --to redis://new",
            "  mawashi migrate --from redis://old --from-namespace myapp --to redis://old",
            "  mawashi migrate --resque --from redis://old --to redis://new",
        })
final class MigrateCommand implements Callable<Integer> {
    /// As long as a stop waits for the batch that is under way.
    private static final long STOP_SECONDS = 40;

    private final CommandContext context;
    private final AtomicBoolean isStopped = new AtomicBoolean();
    private final CountDownLatch ended = new CountDownLatch(1);

    @Spec private CommandSpec spec = CommandSpec.create();

    @Mixin private MigrationOptions options = new MigrationOptions();

    @Option(
            names = "--once",
            description = "Moves what is there in one pass, and does not wait for processes.")
    private boolean isOnce;

    @Option(names = "--dry-run", description = "Says what it would move, and moves nothing.")
    private boolean isDry;

    @Option(
            names = "--json",
            description =
                    "One JSON object: act, dry_run, from, to, jobs, places, refused, and what is"
                            + " left in the first: processes, in_flight, waiting.")
    private boolean isJson;

    MigrateCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        RedisAddress from = options.from(context.environment());
        RedisAddress to = options.to(context.environment());
        RedisBroker target = new RedisBroker(to, DeadLimits.DEFAULT);
        QueueLayout layout = options.layout(from, to);
        QueueLayout layoutThere = options.layoutThere(layout);
        Ends ends =
                new Ends(
                        new RedisBroker(from, DeadLimits.DEFAULT, layout),
                        target,
                        new Ends.Names(from.toString(), to + options.renamed()),
                        layout,
                        layoutThere);
        try {
            return isDry ? look(ends) : migrate(ends, target);
        } catch (MigrationFailure failure) {
            throw new CommandFailure(String.valueOf(failure.getMessage()));
        } finally {
            ended.countDown();
        }
    }

    private int look(Ends ends) {
        PrintWriter err = spec.commandLine().getErr();
        try (Migration migration = migration(ends, new MigrationProgress(err, false, ends, 0))) {
            told(MigrationResult.dry(ends.names(), migration.look()));
        }
        return Main.DONE;
    }

    private int migrate(Ends ends, RedisBroker target) {
        PrintWriter err = spec.commandLine().getErr();
        Found found;
        try (Migration look = migration(ends, new MigrationProgress(err, false, ends, 0))) {
            found = look.look();
        }
        stopAtSignals();
        Migrated[] done = new Migrated[1];
        try (MigrationProgress progress =
                        new MigrationProgress(
                                err, context.terminal().canWatch(), ends, found.sum());
                Migration migration = migration(ends, progress);
                Recorder recorder = context.recorder(target)) {
            Report _ =
                    recorder.record(
                            new Audit.Intent(Act.MIGRATE, ends.names().from()),
                            (_, _) -> {
                                done[0] = run(migration);
                                return Report.touched(done[0].sum());
                            });
        }
        Migrated migrated = Objects.requireNonNull(done[0]);
        told(MigrationResult.of(ends.names(), migrated));
        return migrated.refused().isEmpty() ? Main.DONE : Main.FAILED;
    }

    private Migration migration(Ends ends, Migration.Progress progress) {
        return new Migration(
                ends,
                context.user(),
                context.clock(),
                progress,
                isStopped::get,
                Migration.PATIENCE);
    }

    private Migrated run(Migration migration) {
        try {
            return migration.run(isOnce);
        } catch (RedisFailure failure) {
            throw new CommandFailure(
                    failure.explanation()
                            + ": nothing is lost, mend this and call the same command again");
        }
    }

    /// What was taken arrives before the process ends.
    private void stopAtSignals() {
        Runtime.getRuntime()
                .addShutdownHook(Thread.ofPlatform().name("mawashi-stop-1").unstarted(this::stop));
    }

    private void stop() {
        isStopped.set(true);
        try {
            boolean _ = ended.await(STOP_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void told(MigrationResult result) {
        spec.commandLine().getOut().println(isJson ? result.json() : result.text());
    }
}
