package dev.mawashi.server;

import dev.mawashi.alarm.RedisLook;
import dev.mawashi.broker.CronTable;
import dev.mawashi.broker.DeadLimits;
import dev.mawashi.config.RunnerChoice;
import dev.mawashi.cron.CronFiring;
import dev.mawashi.cron.CronSchedule;
import dev.mawashi.dispatch.Cancelled;
import dev.mawashi.dispatch.Capsule;
import dev.mawashi.fetch.PauseWatch;
import dev.mawashi.fetch.QueueOrder;
import dev.mawashi.figures.MetricsBatch.ClassRuns;
import dev.mawashi.figures.MetricsTable;
import dev.mawashi.fleet.ProcessTable;
import dev.mawashi.fleet.Questions;
import dev.mawashi.lifecycle.Service;
import dev.mawashi.metrics.MetricsFlush;
import dev.mawashi.metrics.RunTallies;
import dev.mawashi.presence.Census;
import dev.mawashi.presence.Heartbeat;
import dev.mawashi.presence.LeaseKeeper;
import dev.mawashi.presence.OwnReading;
import dev.mawashi.ruby.AppSettings;
import dev.mawashi.schedule.Promoter;
import dev.mawashi.settle.RetryPolicy;
import dev.mawashi.settle.RetryRules;
import dev.mawashi.wire.Keys;
import dev.mawashi.wire.MetricsShape;
import dev.mawashi.wire.QueueLayout;
import dev.mawashi.wire.TimeStyle;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A server's Sidekiq half: its capsules, with one lease, one settler, one recovery and one record
/// for all of them.
final class SidekiqSide implements Side {
    private final Apps apps;
    private final Shared shared;
    private final Consumer<String> onSignal;
    private final SideParts parts;
    private final LeaseKeeper keeper;
    private final List<Capsule> capsules;
    private final Optional<MetricsShape> metrics;
    private final RunTallies tallies;
    private List<Service> forAll = List.of();
    private @Nullable Heartbeat heartbeat;
    private volatile @Nullable CronFiring cron;
    private RunnerChoice choice;
    private volatile boolean hearsBeats = true;

    /// @param onSignal takes the signals that Sidekiq's page sends: `TSTP`, `TERM`, `TTIN`
    /// @throws StartFailure when a capsule or a schedule cannot be as the app wants it
    SidekiqSide(Apps apps, Shared shared, Consumer<String> onSignal) {
        this.apps = apps;
        this.shared = shared;
        this.onSignal = onSignal;
        choice = shared.settings().runners();
        AppSettings wanted = apps.settings();
        List<CronSchedule> _ = PeriodicJobs.of(wanted);
        DeadLimits dead =
                new DeadLimits(wanted.deadMaxJobs(), Duration.ofSeconds(wanted.deadSeconds()));
        parts =
                new SideParts(
                        shared,
                        shared.broker().beside(dead, QueueLayout.SIDEKIQ),
                        Cancelled.byJid());
        metrics = apps.countsRuns() ? MetricsShape.of(apps.sidekiqVersion()) : Optional.empty();
        tallies = new RunTallies(metrics.isPresent() || shared.settings().listening().isScraped());
        RetryPolicy policy =
                new RetryPolicy(
                        RetryRules.of(wanted.maxRetries(), apps.sidekiqVersion()),
                        shared.clock(),
                        () -> ThreadLocalRandom.current().nextLong(),
                        shared.listener());
        capsules =
                Pools.of(
                        apps,
                        parts.forCapsules(policy, tallies, "sidekiq"),
                        shared.settings(),
                        shared.parkedMax());
        keeper = parts.keeper(Pools.parkedQueues(capsules));
    }

    @Override
    public List<Capsule> capsules() {
        return capsules;
    }

    /// Has a capsule serve its queues in another order. The lease first, as `QueueWatch` does.
    void serve(Capsule capsule, QueueOrder order) {
        keeper.serve(
                capsules.stream()
                        .map(one -> one == capsule ? order : one.settings().queues())
                        .flatMap(one -> one.parked().stream())
                        .distinct()
                        .toList());
        capsule.serve(order);
    }

    /// Has the server go by the schedules of this choice.
    synchronized void follow(RunnerChoice present) {
        choice = present;
        CronFiring firing = cron;
        if (firing != null) {
            firing.follow(CronClasses.known(present, apps));
        }
    }

    /// Takes note that new code has taken the jobs: its classes may say other things of them.
    synchronized void renewed() {
        follow(choice);
    }

    /// What counts the runs of the whole process; this side writes it down.
    RunTallies tallies() {
        return tallies;
    }

    /// Runs by runner and class since the start.
    Map<String, List<ClassRuns>> runsByClass() {
        return tallies.totals();
    }

    @Override
    public boolean isGoingRound() {
        return keeper.isGoingRound();
    }

    /// What others ask this process.
    Questions questions() {
        return new Questions(parts.broker.connect("answer"), shared.name().identity());
    }

    /// What alarms look at in Redis.
    RedisLook redisLook() {
        return new RedisLook(
                parts.broker.chores(),
                capsules.stream()
                        .flatMap(capsule -> capsule.settings().queues().names().stream())
                        .distinct()
                        .toList(),
                apps.settings().deadMaxJobs() - 1,
                shared.outage(),
                shared.clock());
    }

    @Override
    public List<Service> services(OwnReading own) {
        heartbeat = heartbeat(own);
        List<Service> services = new ArrayList<>(List.of(keeper, parts.settler, heartbeat));
        metrics.ifPresent(shape -> services.add(flush(shape)));
        services.add(
                new PauseWatch(
                        parts.broker.watch(Keys.PAUSED::equals),
                        parts.pauses,
                        shared.listener(),
                        shared.outage()));
        services.add(parts.cancelWatch(QueueLayout.SIDEKIQ));
        if (!shared.settings().isAlone()) {
            forAll = forAll();
            services.addAll(forAll);
        }
        return services;
    }

    private Heartbeat heartbeat(OwnReading own) {
        return new Heartbeat(
                new ProcessTable(parts.broker.chores()),
                // Of this side's jobs alone: Resque's stand in the records of its workers.
                new Census(
                        shared.name(),
                        apps.settings().labels(),
                        capsules,
                        shared.startedAt(),
                        apps::trouble,
                        own),
                shared.clock(),
                shared.outage(),
                onSignal,
                this::onBeat);
    }

    private void onBeat(boolean isNew) {
        shared.rules().onBeat();
        if (hearsBeats) {
            apps.onBeat(isNew);
        }
    }

    @Override
    public void standDown() {
        hearsBeats = false;
        forAll.forEach(service -> service.stop(RunningServer.PART_PATIENCE));
        Heartbeat beating = heartbeat;
        if (beating != null) {
            // Others are to see at once that it is quiet.
            beating.beatNow();
        }
    }

    private MetricsFlush flush(MetricsShape shape) {
        return new MetricsFlush(
                new MetricsTable(parts.broker.chores(), shape, shared.name().identity()),
                tallies,
                shared.clock(),
                shared.outage());
    }

    /// The services that work for other processes too.
    private List<Service> forAll() {
        List<Service> services = new ArrayList<>();
        services.add(parts.recovery(capsules));
        services.add(
                new Promoter(
                        parts.broker.scheduling(),
                        TimeStyle.ofGem(apps.sidekiqVersion()),
                        shared.clock(),
                        shared.listener(),
                        shared.outage()));
        CronFiring firing =
                new CronFiring(
                        new CronTable(parts.broker.chores()),
                        CronClasses.known(choice, apps),
                        new SecureRandom(),
                        shared.listener(),
                        shared.outage());
        cron = firing;
        services.add(firing);
        return services;
    }

    @Override
    public String describe() {
        return Pools.describe(apps.plans());
    }
}
