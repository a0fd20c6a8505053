package dev.mawashi.cron;

import dev.mawashi.broker.CronTable;
import dev.mawashi.broker.Turn;
import dev.mawashi.client.PayloadForm;
import dev.mawashi.event.Event;
import dev.mawashi.event.Listener;
import dev.mawashi.event.Outage;
import dev.mawashi.lifecycle.Backoff;
import dev.mawashi.lifecycle.Loop;
import dev.mawashi.lifecycle.Service;
import dev.mawashi.redis.RedisFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Enqueues the jobs of a server's schedules when they are due by Redis's clock.
///
/// Of the servers with the same schedules one has the turn. It keeps the next tick of each schedule
/// in a heap, and decides each tick with one script that also marks it as decided. The turn only
/// saves work: servers that have it at the same time, or that die between any two commands, lose no
/// tick and repeat none. A server that gets the turn begins at the marks, so that what nobody
/// decided meanwhile is dealt with as its schedule says. It reads them again when a reply is lost,
/// and when the clock or a mark shows that Redis went back.
///
/// A schedule without a mark, or with the mark of another line, begins at that moment. Other
/// schedules are taken over between two looks, all at once, and begin at the marks too.
public final class CronFiring implements Service {
    private static final int BATCH = 100;
    private static final Duration REFUSED_WAIT = Duration.ofSeconds(60);
    private static final Duration PUBLISH = Duration.ofSeconds(30);
    private static final Duration EARLY_WAIT = Duration.ofMillis(1);

    private final CronTable table;
    private final RandomGenerator random;
    private final Listener listener;
    private final Outage outage;
    private final Backoff backoff = new Backoff();
    private final PriorityQueue<NextTick> heap =
            new PriorityQueue<>(Comparator.comparing(NextTick::look));
    private final Loop loop;
    private final AtomicReference<@Nullable CronFile> next = new AtomicReference<>();
    private CronFile file;
    private String digest;
    private Turn turn;
    private boolean isStarted;
    private long publishedAt;
    private boolean isPublished;
    private Instant seen = Instant.MIN;

    /// @param table closed with this
    /// @param random for jids
    public CronFiring(
            CronTable table,
            CronFile file,
            RandomGenerator random,
            Listener listener,
            Outage outage) {
        this.table = table;
        this.file = file;
        digest = file.digest();
        turn = table.turn(digest);
        this.random = random;
        this.listener = listener;
        this.outage = outage;
        loop = Loop.platform("cron", this::step).farewell(this::leave);
    }

    /// Without schedules there is no thread, and no connection, until some come.
    @Override
    public void start() {
        start(file);
    }

    private synchronized void start(CronFile present) {
        if (!isStarted && !present.schedules().isEmpty()) {
            isStarted = true;
            loop.start();
        }
    }

    /// Goes by these schedules from now on, once `start` was called. Safe for any thread.
    public void follow(CronFile present) {
        next.set(present);
        start(present);
        loop.wake();
    }

    private Duration step() {
        try {
            Duration wait = look();
            outage.up();
            backoff.reset();
            return wait;
        } catch (RuntimeException failure) {
            heap.clear();
            if (!loop.isStopping()) {
                outage.failed("cron", failure);
                backoff.pause();
            }
            return Duration.ZERO;
        }
    }

    private Duration look() {
        takeOver();
        if (file.schedules().isEmpty()) {
            return Loop.UNTIL_WOKEN;
        }
        publish();
        if (!turn.take()) {
            heap.clear();
            return turn.untilNextTake();
        }
        Instant now = Instant.ofEpochMilli(table.now());
        if (now.isBefore(seen)) {
            heap.clear();
        }
        seen = now;
        if (heap.isEmpty()) {
            begin(now);
        }
        decide(now);
        NextTick first = heap.peek();
        if (first == null) {
            return turn.untilNextTake();
        }
        Duration untilDue = Duration.between(now, first.look());
        if (untilDue.isNegative() || untilDue.isZero()) {
            return Duration.ZERO;
        }
        Duration untilTurn = turn.untilNextTake();
        return untilDue.compareTo(untilTurn) < 0 ? untilDue.plus(EARLY_WAIT) : untilTurn;
    }

    /// The old schedules are shown no longer, unless another server has them: that one says so
    /// again within `PUBLISH`.
    private void takeOver() {
        CronFile present = next.get();
        if (present == null) {
            return;
        }
        if (!present.equals(file)) {
            heap.clear();
            turn.leave();
            table.withdraw(digest);
            file = present;
            digest = present.digest();
            turn = table.turn(digest);
            isPublished = false;
        }
        // One that has come meanwhile stays.
        next.compareAndSet(present, null);
    }

    private void publish() {
        long nanos = System.nanoTime();
        if (isPublished && nanos - publishedAt < PUBLISH.toNanos()) {
            return;
        }
        try {
            table.publish(digest, file::text);
        } catch (RedisFailure refusal) {
            if (!refusal.isOfOneCommand()) {
                throw refusal;
            }
            // The schedules run, whoever sees them.
            refused("the schedules cannot be shown", refusal.reason(), PUBLISH);
        }
        publishedAt = nanos;
        isPublished = true;
    }

    private void refused(String what, String reason, Duration again) {
        listener.on(new Event.SchedulesRefused(what, reason, again.toSeconds()));
    }

    /// Fills the heap from the marks. New schedules get one, so that a server that takes over knows
    /// since when they are there.
    private void begin(Instant now) {
        List<CronSchedule> all = file.schedules();
        Map<String, CronTable.Mark> marks =
                table.marks(all.stream().map(CronSchedule::name).toList(), now.toEpochMilli());
        CronJob jobs = jobs(now);
        List<CronTable.Tick> fresh = new ArrayList<>();
        List<NextTick> begun = new ArrayList<>();
        for (CronSchedule schedule : all) {
            CronTable.Mark mark = marks.get(schedule.name());
            Instant decided = now;
            if (mark != null && mark.note().equals(schedule.note())) {
                decided = Instant.ofEpochMilli(mark.millis());
            } else {
                fresh.add(jobs.begin(schedule));
            }
            begun.add(NextTick.after(schedule, schedule.line(), decided));
        }
        for (int from = 0; from < fresh.size(); from += BATCH) {
            table.fire(fresh.subList(from, Math.min(fresh.size(), from + BATCH)));
        }
        heap.addAll(begun);
    }

    private void decide(Instant now) {
        List<NextTick> due = new ArrayList<>();
        List<CronTable.Tick> ticks = new ArrayList<>();
        List<Integer> counts = new ArrayList<>();
        CronJob jobs = jobs(now);
        while (ticks.size() < BATCH && !heap.isEmpty() && !heap.peek().look().isAfter(now)) {
            NextTick next = heap.remove();
            List<CronTable.Tick> own = next.ticks(jobs);
            due.add(next);
            ticks.addAll(own);
            counts.add(own.size());
        }
        if (ticks.isEmpty()) {
            return;
        }
        List<Object> outcomes = table.fire(ticks);
        Refusals refused = new Refusals(now, jobs, new ArrayList<>(), new LinkedHashMap<>());
        boolean isBehind = false;
        int from = 0;
        for (int i = 0; i < due.size(); i++) {
            int to = from + counts.get(i);
            List<Object> own = outcomes.subList(from, to);
            heap.add(decided(due.get(i), ticks.subList(from, to), own, refused));
            isBehind |= !own.isEmpty() && own.getFirst().equals("behind");
            from = to;
        }
        if (isBehind) {
            // Redis has forgotten what was decided.
            heap.clear();
        }
        report(refused);
    }

    /// @param refused where a refusal is noted
    private NextTick decided(
            NextTick next, List<CronTable.Tick> ticks, List<Object> outcomes, Refusals refused) {
        Instant decided = next.decided();
        for (int i = 0; i < outcomes.size(); i++) {
            Object outcome = outcomes.get(i);
            if (outcome instanceof RedisFailure refusal) {
                refused.add(next, ticks.get(i), refusal);
                return NextTick.after(next.schedule(), next.line(), decided)
                        .later(refused.now().plus(REFUSED_WAIT));
            }
            if (outcome.equals("early") || outcome.equals("behind")) {
                // Redis or its clock went back: the tick stays undecided until it comes.
                break;
            }
            decided = Instant.ofEpochMilli(Long.parseLong(ticks.get(i).millis()));
        }
        return NextTick.after(next.schedule(), next.line(), decided);
    }

    /// Ticks of one look that Redis refuses, since a key is of another type or the user may not
    /// write it. Each is recorded when it is tried first; the log has a line for each reason.
    ///
    /// @param reasons each with the schedules that have it
    private record Refusals(
            Instant now,
            CronJob jobs,
            List<CronTable.Tick> records,
            Map<String, List<String>> reasons) {
        void add(NextTick next, CronTable.Tick tick, RedisFailure refusal) {
            CronSchedule schedule = next.schedule();
            reasons.computeIfAbsent(refusal.reason(), _ -> new ArrayList<>()).add(schedule.name());
            if (next.look().equals(next.line().next(next.decided()))) {
                records.add(jobs.refused(schedule, tick, refusal.reason()));
            }
        }
    }

    private void report(Refusals refused) {
        if (!refused.records().isEmpty()) {
            // What is refused here too is in the log all the same.
            List<Object> _ = table.fire(refused.records());
        }
        refused.reasons()
                .forEach((reason, schedules) -> {
                    int more = schedules.size() - 1;
                    String rest =
                            more == 0
                                    ? "\" cannot be enqueued"
                                    : "\" and those of " + more + " more cannot be enqueued";
                    String what = "the job of schedule \"" + schedules.getFirst() + rest;
                    refused(what, reason, REFUSED_WAIT);
                });
    }

    private CronJob jobs(Instant now) {
        return new CronJob(new PayloadForm(() -> now, random), now);
    }

    private void leave() {
        turn.leave();
        table.close();
    }

    @Override
    public void stop(Duration patience) {
        loop.stop(patience);
    }
}
