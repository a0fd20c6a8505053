package dev.mawashi.schedule;

import dev.mawashi.broker.DelayedJobs;
import dev.mawashi.broker.Scheduling;
import dev.mawashi.event.Event;
import dev.mawashi.event.Listener;
import dev.mawashi.event.Outage;
import dev.mawashi.lifecycle.Service;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.wire.JsonFields;
import dev.mawashi.wire.Payload;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Moves the delayed jobs of resque-scheduler to their queues when they are due, while no
/// resque-scheduler is master.
///
/// It never holds the master's lock itself, and sees a resque-scheduler's in the same step in which
/// it would move a job. Any number of processes may do this side by side, also while one of ours
/// holds the lock for the gem's schedules.
public final class DelayedPromoter implements Service {
    /// How long jobs wait whose queue could not take them.
    private static final long AGAIN_SECONDS = Scheduling.REFUSED_WAIT.toSeconds();

    private static final int REFUSALS_KEPT = 100;

    /// Where a job goes that names no queue, as with Sidekiq's. What is no job fails there.
    private static final String QUEUE = "default";

    private final DelayedJobs delayed;
    private final Listener listener;
    private final Set<String> refusalsTold = new HashSet<>();
    private final DueLoop loop;

    /// A delayed job with its queue.
    private record Target(String queue, DelayedJobs.Move move) {}

    public DelayedPromoter(DelayedJobs delayed, Listener listener, Outage outage) {
        this.delayed = delayed;
        this.listener = listener;
        loop =
                new DueLoop("delayed", this::move, delayed::awaitChange, outage)
                        .over(delayed::wake, delayed::close);
    }

    @Override
    public void start() {
        loop.start();
    }

    private Duration move() {
        DelayedJobs.Due due = delayed.due();
        boolean mayMove = !due.hasMaster() && due.second().isPresent();
        boolean hasMoved = mayMove && moveFirst(due.second().get(), due.now() + AGAIN_SECONDS);
        if (hasMoved) {
            return Duration.ZERO;
        }
        // What is due while a resque-scheduler is master stays due, and wakes nobody.
        Duration wait = DueLoop.until(due.nextMillis());
        return wait.compareTo(DueLoop.SLEEP_MIN) < 0 ? DueLoop.SLEEP_MIN : wait;
    }

    /// Moves a second's first jobs, those for one queue together, and forgets a second without
    /// jobs.
    ///
    /// @return false when a resque-scheduler has become master
    private boolean moveFirst(String second, long later) {
        List<Target> targets;
        try {
            targets =
                    delayed.first(second, DueLoop.BATCH, DueLoop.BATCH_BYTES).stream()
                            .map(this::target)
                            .toList();
        } catch (RedisFailure failure) {
            checkIsOfOneCommand(failure);
            delayed.postponeSecond(second, later);
            listener.on(new Event.SetUnreadable("delayed:" + second, failure.reason()));
            return true;
        }
        if (targets.isEmpty()) {
            return delayed.move(second, QUEUE, List.of()).isPresent();
        }
        int from = 0;
        while (from < targets.size()) {
            String queue = targets.get(from).queue();
            List<DelayedJobs.Move> moves = new ArrayList<>();
            for (int i = from; i < targets.size() && targets.get(i).queue().equals(queue); i++) {
                moves.add(targets.get(i).move());
            }
            OptionalLong moved = move(second, queue, moves, later);
            if (moved.isEmpty()) {
                return false;
            }
            if (moved.getAsLong() < moves.size()) {
                // Someone else is at it; the next look shows the rest.
                return true;
            }
            from += moves.size();
        }
        return true;
    }

    /// Jobs of a queue that takes none, since its key is no list or may not be written, are delayed
    /// again, so that they hold up no others.
    private OptionalLong move(
            String second, String queue, List<DelayedJobs.Move> moves, long later) {
        try {
            OptionalLong moved = delayed.move(second, queue, moves);
            refusalsTold.remove(queue);
            return moved;
        } catch (RedisFailure failure) {
            checkIsOfOneCommand(failure);
            if (refusalsTold.size() >= REFUSALS_KEPT) {
                refusalsTold.clear();
            }
            if (refusalsTold.add(queue)) {
                listener.on(new Event.QueueRefused(queue, failure.reason(), AGAIN_SECONDS));
            }
            return delayed.postpone(second, later, moves);
        }
    }

    private static void checkIsOfOneCommand(RedisFailure failure) {
        if (!failure.isOfOneCommand()) {
            throw failure;
        }
    }

    /// A queued job has a class and arguments and nothing else; other than an array is the only
    /// argument.
    private Target target(byte[] entry) {
        Payload job = Payload.tryParse(entry);
        if (job == null) {
            return new Target(QUEUE, new DelayedJobs.Move(entry, entry));
        }
        String queue = job.text("queue");
        String payload =
                new JsonFields()
                        .json("class", orNull(job.raw("class")))
                        .json("args", args(job))
                        .toString();
        return new Target(
                queue == null || queue.isEmpty() ? QUEUE : queue,
                new DelayedJobs.Move(entry, payload.getBytes(StandardCharsets.UTF_8)));
    }

    private static String orNull(@Nullable String json) {
        return json == null ? "null" : json;
    }

    private static String args(Payload job) {
        String args = job.raw("args");
        if (args == null || args.equals("null")) {
            return "[]";
        }
        return args.startsWith("[") ? args : "[" + args + "]";
    }

    @Override
    public void stop(Duration patience) {
        loop.stop(patience);
    }
}
