package dev.mawashi.server;

import dev.mawashi.broker.DeadLimits;
import dev.mawashi.broker.Epoch;
import dev.mawashi.broker.RedisBroker;
import dev.mawashi.dispatch.Cancelled;
import dev.mawashi.dispatch.Capsule;
import dev.mawashi.dispatch.CapsuleParts;
import dev.mawashi.dispatch.Routes;
import dev.mawashi.dispatch.RunParts;
import dev.mawashi.fetch.PauseWatch;
import dev.mawashi.fetch.Pauses;
import dev.mawashi.lifecycle.Service;
import dev.mawashi.metrics.MetricsFlush;
import dev.mawashi.metrics.RunTallies;
import dev.mawashi.presence.Census;
import dev.mawashi.presence.Heartbeat;
import dev.mawashi.presence.LeaseKeeper;
import dev.mawashi.presence.OwnRecord;
import dev.mawashi.ruby.AppSettings;
import dev.mawashi.schedule.Promoter;
import dev.mawashi.settle.RetryPolicy;
import dev.mawashi.settle.RetryRules;
import dev.mawashi.settle.Settler;
import dev.mawashi.tables.MetricsBatch.ClassRuns;
import dev.mawashi.tables.MetricsTable;
import dev.mawashi.tables.PausedQueues;
import dev.mawashi.tables.ProcessTable;
import dev.mawashi.tables.Questions;
import dev.mawashi.tracing.Traces;
import dev.mawashi.wire.MetricsShape;
import dev.mawashi.wire.QueueLayout;
import dev.mawashi.wire.TimeStyle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;

/// A server's Sidekiq half: its capsules, with one lease, one settler, one recovery and one record
/// for all of them.
final class SidekiqSide {
    private final Apps apps;
    private final Shared shared;
    private final Consumer<String> onSignal;
    private final RedisBroker broker;
    private final Epoch epoch;
    private final Settler settler;
    private final LeaseKeeper keeper;
    private final List<Capsule> capsules;
    private final Optional<MetricsShape> metrics;
    private final RunTallies tallies;
    private final Pauses pauses = new Pauses();
    private final Cancelled cancelled = Cancelled.byJid();

    /// @param onSignal takes the signals that Sidekiq's page sends: `TSTP`, `TERM`, `TTIN`
    /// @throws StartFailure when a capsule cannot be as the app wants it
    SidekiqSide(Apps apps, Shared shared, Consumer<String> onSignal) {
        this.apps = apps;
        this.shared = shared;
        this.onSignal = onSignal;
        AppSettings wanted = apps.settings();
        broker =
                new RedisBroker(
                        shared.settings().redis(),
                        new DeadLimits(
                                wanted.deadMaxJobs(), Duration.ofSeconds(wanted.deadSeconds())));
        epoch = new Epoch(shared.name().identity());
        settler = new Settler(broker.settling(), shared.listener(), shared.outage());
        metrics = apps.countsRuns() ? MetricsShape.of(apps.sidekiqVersion()) : Optional.empty();
        tallies = new RunTallies(metrics.isPresent() || shared.settings().listening().isScraped());
        capsules = Pools.of(apps, parts(), shared.settings());
        keeper =
                new LeaseKeeper(
                        broker.leasing(),
                        epoch,
                        Pools.parkedQueues(capsules),
                        shared.settings().lease(),
                        settler::settle,
                        shared.listener(),
                        shared.outage());
    }

    private CapsuleParts parts() {
        RetryRules rules = RetryRules.of(apps.settings().maxRetries(), apps.sidekiqVersion());
        RetryPolicy policy =
                new RetryPolicy(
                        rules,
                        shared.clock(),
                        () -> ThreadLocalRandom.current().nextLong(),
                        shared.listener());
        return new CapsuleParts(
                broker,
                shared.outage(),
                new Routes(shared.listener()),
                pauses,
                new RunParts(
                        policy,
                        settler,
                        epoch,
                        shared.listener(),
                        tallies,
                        cancelled,
                        Traces.ofRuns("sidekiq", shared.clock())));
    }

    List<Capsule> capsules() {
        return capsules;
    }

    /// What counts the runs of the whole process; this side writes it down.
    RunTallies tallies() {
        return tallies;
    }

    /// Runs by class since the start.
    List<ClassRuns> runsByClass() {
        return tallies.totals();
    }

    /// See `LeaseKeeper.isGoingRound`.
    boolean isGoingRound() {
        return keeper.isGoingRound();
    }

    /// What others ask this process.
    Questions questions() {
        return new Questions(broker.connect("answer"), shared.name().identity());
    }

    /// The side's services, in the order in which they start.
    ///
    /// @param own for the record, which is that of the whole process
    List<Service> services(OwnRecord own) {
        List<Service> services = new ArrayList<>(List.of(keeper, settler, heartbeat(own)));
        metrics.ifPresent(shape -> services.add(flush(shape)));
        services.add(
                new PauseWatch(
                        new PausedQueues(broker.connect("pause"), broker.connect("watch")),
                        pauses,
                        shared.listener(),
                        shared.outage()));
        services.add(shared.cancelWatch(broker, QueueLayout.SIDEKIQ, cancelled, settler));
        if (!shared.settings().isAlone()) {
            services.addAll(forAll());
        }
        return services;
    }

    private Heartbeat heartbeat(OwnRecord own) {
        return new Heartbeat(
                new ProcessTable(broker.connect("beat")),
                new Census(
                        shared.name(),
                        apps.settings().labels(),
                        capsules,
                        shared.startedAt(),
                        apps::trouble,
                        own),
                shared.clock(),
                shared.listener(),
                shared.outage(),
                onSignal,
                apps::onBeat);
    }

    private MetricsFlush flush(MetricsShape shape) {
        return new MetricsFlush(
                new MetricsTable(broker.connect("metrics"), shape, shared.name().identity()),
                tallies,
                shared.clock(),
                shared.outage());
    }

    /// The services that work for other processes too.
    private List<Service> forAll() {
        return List.of(
                shared.recovery(broker, epoch, capsules),
                new Promoter(
                        broker.scheduling(),
                        TimeStyle.ofGem(apps.sidekiqVersion()),
                        shared.clock(),
                        shared.listener(),
                        shared.outage()));
    }

    String describe() {
        return Pools.describe(apps.plans());
    }
}
