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
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.random.RandomGenerator;

/// Enqueues the jobs of a server's schedules when they are due by Redis's clock.
///
/// Of the servers with the same schedules one has the turn. It keeps the next tick of each schedule
/// in a heap, and decides each tick with one script that also marks it as decided. The turn only
/// saves work: servers that have it at the same time, or that die between any two commands, lose no
/// tick and repeat none. A server that gets the turn begins at the marks, so that what nobody
/// decided meanwhile is dealt with as its schedule says. It reads them again when a reply is lost,
/// and when the clock or a mark shows that Redis went back.
///
/// A schedule without a mark, or with the mark of another line, begins at that moment.
public final class CronFiring implements Service {
    private static final int BATCH = 100;
    private static final int MISSED_MAX = 1_000;
    private static final Duration REFUSED_WAIT = Duration.ofSeconds(60);
    private static final Duration LATE_MAX = Duration.ofSeconds(60);
    private static final Duration PUBLISH = Duration.ofSeconds(30);
    private static final Duration EARLY_WAIT = Duration.ofMillis(1);

    private final CronTable table;
    private final Turn turn;
    private final CronFile file;
    private final String digest;
    private final RandomGenerator random;
    private final Listener listener;
    private final Outage outage;
    private final Backoff backoff = new Backoff();
    private final PriorityQueue<Next> heap = new PriorityQueue<>(Comparator.comparing(Next::look));
    private final Loop loop;
    private long publishedAt;
    private boolean isPublished;
    private Instant seen = Instant.MIN;

    /// A schedule's place in the heap.
    ///
    /// @param decided its last tick that is decided
    /// @param look when to look at it: its next tick, or later where that was refused
    private record Next(CronSchedule schedule, CronLine line, Instant decided, Instant look) {
        static Next after(CronSchedule schedule, CronLine line, Instant decided) {
            return new Next(schedule, line, decided, line.next(decided));
        }

        Next later(Instant moment) {
            return new Next(schedule, line, decided, moment);
        }
    }

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

    @Override
    public void start() {
        loop.start();
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
        Next first = heap.peek();
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
        List<Next> begun = new ArrayList<>();
        for (CronSchedule schedule : all) {
            CronTable.Mark mark = marks.get(schedule.name());
            Instant decided = now;
            if (mark != null && mark.note().equals(schedule.note())) {
                decided = Instant.ofEpochMilli(mark.millis());
            } else {
                fresh.add(jobs.begin(schedule));
            }
            begun.add(Next.after(schedule, schedule.line(), decided));
        }
        for (int from = 0; from < fresh.size(); from += BATCH) {
            table.fire(fresh.subList(from, Math.min(fresh.size(), from + BATCH)));
        }
        heap.addAll(begun);
    }

    private void decide(Instant now) {
        List<Next> due = new ArrayList<>();
        List<CronTable.Tick> ticks = new ArrayList<>();
        List<Integer> counts = new ArrayList<>();
        CronJob jobs = jobs(now);
        while (ticks.size() < BATCH && !heap.isEmpty() && !heap.peek().look().isAfter(now)) {
            Next next = heap.remove();
            List<CronTable.Tick> own = ticks(next, jobs);
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

    /// The ticks of a schedule up to this moment that are decided now.
    private static List<CronTable.Tick> ticks(Next next, CronJob jobs) {
        CronSchedule schedule = next.schedule();
        Instant last = next.line().last(next.decided(), jobs.now()).orElse(null);
        if (last == null) {
            return List.of();
        }
        return switch (schedule.missed()) {
            case ONE -> List.of(jobs.run(schedule, last, Optional.empty()));
            case SKIP ->
                    last.plus(LATE_MAX).isBefore(jobs.now())
                            ? List.of(jobs.skip(schedule, last))
                            : List.of(jobs.run(schedule, last, Optional.empty()));
            case ALL -> all(next, last, jobs);
        };
    }

    /// Each only after the one before, so that none is left out should Redis refuse some of them.
    private static List<CronTable.Tick> all(Next next, Instant last, CronJob jobs) {
        List<CronTable.Tick> ticks = new ArrayList<>();
        Instant earlier = next.decided();
        Instant tick = next.line().next(earlier);
        while (!tick.isAfter(last) && ticks.size() < MISSED_MAX) {
            ticks.add(jobs.run(next.schedule(), tick, Optional.of(earlier)));
            earlier = tick;
            tick = next.line().next(tick);
        }
        return ticks;
    }

    /// @param refused where a refusal is noted
    private Next decided(
            Next next, List<CronTable.Tick> ticks, List<Object> outcomes, Refusals refused) {
        Instant decided = next.decided();
        for (int i = 0; i < outcomes.size(); i++) {
            Object outcome = outcomes.get(i);
            if (outcome instanceof RedisFailure refusal) {
                refused.add(next, ticks.get(i), refusal);
                return Next.after(next.schedule(), next.line(), decided)
                        .later(refused.now().plus(REFUSED_WAIT));
            }
            if (outcome.equals("early") || outcome.equals("behind")) {
                // Redis or its clock went back: the tick stays undecided until it comes.
                break;
            }
            decided = Instant.ofEpochMilli(Long.parseLong(ticks.get(i).millis()));
        }
        return Next.after(next.schedule(), next.line(), decided);
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
        void add(Next next, CronTable.Tick tick, RedisFailure refusal) {
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
