package dev.mawashi.server;

import dev.mawashi.alarm.AlarmWatch;
import dev.mawashi.alarm.RedisLook;
import dev.mawashi.answer.Answering;
import dev.mawashi.dispatch.Capsule;
import dev.mawashi.dispatch.Counters;
import dev.mawashi.dispatch.Suspects;
import dev.mawashi.figures.MetricsBatch.ClassRuns;
import dev.mawashi.fleet.RestartView;
import dev.mawashi.lifecycle.Service;
import dev.mawashi.presence.Census;
import dev.mawashi.presence.OwnReading;
import dev.mawashi.ruby.LifecycleEvent;
import dev.mawashi.scrape.AlarmFigures;
import dev.mawashi.scrape.ProcessFigures;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A server whose app is loaded: all its parts, made at once, started from the bottom up and ended
/// from the top down.
final class RunningServer {
    private static final System.Logger LOG = System.getLogger(RunningServer.class.getName());

    /// A system property with which a test of a real server makes minutes of its alarms pass within
    /// seconds.
    private static final String ALARM_SPEED = "mawashi.alarms.speed";

    private static final int ALARM_SPEED_MAX = 100;

    static final String STALLED = "the lease is not looked after";

    static final Duration PART_PATIENCE = Duration.ofSeconds(5);

    /// For jobs that are cut off: to hear of it, to end, and to be put back.
    private static final Duration CUT_PATIENCE = Duration.ofSeconds(15);

    private final Apps apps;
    private final Shared shared;
    private final Ends ends;
    private final SidekiqSide sidekiq;
    private final List<Side> sides;
    private final List<Capsule> capsules;
    private final AlarmWatch alarms;
    private final OwnReading own;
    private final Census census;
    private final Duration stopPatience;
    private final SoloProcess solo;
    private final Standing standing;
    private final Recycling recycling;
    private final Restarts restarts;
    private final Reload reload;
    private final Deque<Service> started = new ArrayDeque<>();
    private volatile @Nullable Watchdog watchdog;

    /// The listeners for the server's end.
    ///
    /// @param onRecycle called when the process should be started anew
    /// @param onDone called when there is nothing left to do: for one that runs suspects, and for
    ///   one whose place another server has taken
    /// @param onGivenWay called when another server takes its place
    record Ends(Runnable onRecycle, Runnable onDone, Runnable onGivenWay) {}

    /// @param sidekiq one of the sides: what concerns the whole process is asked of it
    /// @param reader see `FilesRead.of`
    RunningServer(
            Apps apps,
            Shared shared,
            SidekiqSide sidekiq,
            List<Side> sides,
            SoloProcess solo,
            Standing standing,
            Function<Path, ServerSettings> reader,
            Ends ends) {
        this.apps = apps;
        this.shared = shared;
        this.sidekiq = sidekiq;
        this.sides = List.copyOf(sides);
        this.solo = solo;
        this.standing = standing;
        this.ends = ends;
        capsules = sides.stream().flatMap(side -> side.capsules().stream()).toList();
        alarms = alarmWatch(sidekiq, shared, capsules);
        own = new OwnReading(capsules, alarms::standing);
        census =
                new Census(
                        shared.name(),
                        apps.settings().labels(),
                        capsules,
                        shared.startedAt(),
                        apps::trouble,
                        own);
        stopPatience = Duration.ofMillis(Math.round(apps.settings().timeoutSeconds() * 1_000));
        restarts = newRestarts();
        reload = new Reload(apps, sidesOf(), restarts, shared, reader);
        recycling =
                new Recycling(capsules, this::quiet, ends.onRecycle(), () -> standing.older() > 0);
    }

    private Restarts newRestarts() {
        Handover.Acts acts =
                new Handover.Acts(this::giveWay, this::isQuiet, solo::isIdle, ends.onDone());
        Restarts.NewCode newCode =
                new Restarts.NewCode(told -> reload.look(told), this::takeOverSettings);
        return new Restarts(apps, capsules, shared, standing, acts, newCode);
    }

    private void takeOverSettings() {
        reload.takeOver();
        sidekiq.renewed();
    }

    private Reload.Sides sidesOf() {
        ResqueSide resque = null;
        for (Side side : sides) {
            resque = side instanceof ResqueSide one ? one : resque;
        }
        return new Reload.Sides(sidekiq, resque);
    }

    private static AlarmWatch alarmWatch(
            SidekiqSide sidekiq, Shared shared, List<Capsule> capsules) {
        RedisLook redis = sidekiq.redisLook();
        int speed = Math.clamp(Integer.getInteger(ALARM_SPEED, 1), 1, ALARM_SPEED_MAX);
        return new AlarmWatch(
                new AlarmReadings(capsules, shared.counts(), redis, shared.clock(), speed),
                redis::close,
                shared.listener(),
                AlarmWatch.PAUSE.dividedBy(speed));
    }

    /// Begins to work.
    ///
    /// @param isQuietAsked whether it is to claim nothing
    void start(BooleanSupplier isQuietAsked) {
        start(new CarrierWatch(shared.settings().runners().kinds()));
        sides.forEach(side -> side.services(own).forEach(this::start));
        start(answering());
        if (shared.settings().isAlone()) {
            capsules.forEach(Capsule::startAlone);
            start(new Suspects(capsules, shared.outage(), ends.onDone()));
        } else {
            start(alarms);
            start(solo);
            start(recycling);
            Predecessor before = standing.predecessor();
            if (before != null) {
                before.leaveSlots(capsules);
            }
            if (!isQuietAsked.getAsBoolean()) {
                capsules.forEach(Capsule::start);
            }
            announce(standing.systemd());
        }
        if (isQuietAsked.getAsBoolean()) {
            quiet();
        }
        LOG.log(Level.INFO, describe());
    }

    private Answering answering() {
        return new Answering(
                sidekiq::questions,
                new OwnAnswers(apps, capsules, census, restarts, reload, shared.clock()),
                shared.listener(),
                shared.outage());
    }

    private void start(Service service) {
        service.start();
        started.push(service);
    }

    private void announce(@Nullable Systemd systemd) {
        if (systemd != null) {
            systemd.ready();
            systemd.watchdog(() -> trouble().isEmpty())
                    .ifPresent(pings -> {
                        watchdog = pings;
                        start(pings);
                    });
        }
        start(new Health(apps.folder(), this::trouble, systemd));
    }

    /// Why jobs cannot run; "" when they can.
    String trouble() {
        return isGoingRound() ? apps.trouble() : STALLED;
    }

    /// Whether the leases are looked after, be Redis there or not.
    boolean isGoingRound() {
        return sides.stream().allMatch(Side::isGoingRound);
    }

    /// Whether it claims no more.
    boolean isQuiet() {
        return capsules.stream().allMatch(Capsule::isQuiet);
    }

    /// The capsules, for metrics.
    List<ProcessFigures.Pool> pools() {
        return capsules.stream().map(RunningServer::pool).toList();
    }

    private static ProcessFigures.Pool pool(Capsule capsule) {
        Counters counters = capsule.counters();
        // Failed runs first: one that ends meanwhile must not count among them alone.
        long failed = counters.failed();
        return new ProcessFigures.Pool(
                capsule.settings().name(),
                capsule.runner(),
                capsule.settings().slots(),
                capsule.running().size(),
                counters.ended(),
                failed,
                counters.nanos());
    }

    /// Runs of Sidekiq's jobs by runner and class since the start.
    Map<String, List<ClassRuns>> runsByClass() {
        return sidekiq.runsByClass();
    }

    /// The alarms, for metrics.
    AlarmFigures alarms() {
        return new AlarmFigures(alarms.standing(), alarms.last());
    }

    /// The generations of its code, for metrics.
    RestartView code() {
        return restarts.view();
    }

    private String describe() {
        return "%s %s, %s, Redis %s"
                .formatted(
                        shared.settings().isAlone() ? "running suspects of" : "working on",
                        queues(),
                        apps.describe(),
                        shared.settings().redis());
    }

    private String queues() {
        return sides.stream()
                .filter(side -> !side.capsules().isEmpty())
                .map(Side::describe)
                .collect(Collectors.joining("; "));
    }

    /// Takes note that a job which does not end holds a thread. Safe for any thread.
    void lostThread() {
        recycling.wake();
    }

    /// Claims no more; running jobs go on.
    void quiet() {
        capsules.forEach(Capsule::quiet);
        solo.quiet();
        apps.fire(LifecycleEvent.QUIET);
    }

    /// Lets another server take this one's place: claims no more, gives back what has not begun,
    /// and takes part in nothing but its own jobs.
    private void giveWay() {
        List.of(alarms, recycling).forEach(service -> service.stop(PART_PATIENCE));
        quiet();
        capsules.forEach(capsule -> capsule.awaitGivenBack(PART_PATIENCE));
        sides.forEach(Side::standDown);
        ends.onGivenWay().run();
        Watchdog pings = watchdog;
        if (pings != null) {
            pings.stop(Duration.ZERO);
        }
    }

    /// The restart whose new code takes this process's place.
    Handover handover() {
        return restarts.handover();
    }

    /// Logs what runs now, and the Ruby backtraces of all threads.
    void dump() {
        List<String> work = census.describeWork();
        LOG.log(Level.INFO, "TTIN: running now: " + work.size());
        work.forEach(line -> LOG.log(Level.INFO, line));
        apps.backtraces().forEach(trace -> LOG.log(Level.INFO, trace));
    }

    /// Runs ended since the start.
    long ended() {
        return capsules.stream().mapToLong(capsule -> capsule.counters().ended()).sum();
    }

    /// Ends everything but the app: running jobs get its `timeout`, the rest goes back to the head
    /// of its queue. Services that `start` did not reach are left as they are.
    void stop() {
        apps.fire(LifecycleEvent.SHUTDOWN);
        solo.askToStop();
        restarts.handover().stop();
        Duration patience = restarts.isOldLimitOver() ? Duration.ZERO : stopPatience;
        Pools.stop(capsules, patience, CUT_PATIENCE);
        while (!started.isEmpty()) {
            started.pop().stop(PART_PATIENCE);
        }
    }
}
