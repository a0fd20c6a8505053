package dev.mawashi.operate;

import dev.mawashi.broker.Leasing;
import dev.mawashi.inspect.InFlightReader;
import dev.mawashi.inspect.JobQuery;
import dev.mawashi.inspect.JobView;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.tables.Erasing;
import dev.mawashi.tables.LimitedReads;
import dev.mawashi.tables.LimitedReads.Side;
import dev.mawashi.wire.JobSet;
import dev.mawashi.wire.Keys;
import dev.mawashi.wire.Payload;
import dev.mawashi.wire.QueueLayout;
import dev.mawashi.wire.Redaction;
import dev.mawashi.wire.ResqueKeys;
import dev.mawashi.wire.TextSearch;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/// Removes all jobs that hold a text, wherever in Redis they are: a person's, who wants to be
/// forgotten. One thread's.
///
/// It goes through the places in the order in which jobs go through them, and again until it finds
/// nothing more: a job may have come back behind it. What a dead process had in hand it first puts
/// back to its queue, as any server does. What a process has in hand it leaves. Each entry is
/// removed whole, in one command, so that a job is there or gone whenever this process ends; called
/// again it goes on.
public final class Eraser {
    private static final int ROUNDS_MAX = 5;
    private static final int RECORDS_MAX = 1_000;

    /// Seconds of delayed jobs that are read at once.
    private static final int SECONDS_MAX = 500;

    private static final String HIDDEN = "[erased]";

    /// Ids that are remembered, to delete how far these jobs have come.
    private static final int JIDS_MAX = 100_000;

    private final RedisConnection connection;
    private final Halves halves;
    private final Audit audit;
    private final TextSearch text;
    private final JobQuery query;
    private final boolean isDry;
    private final Erasing erasing;
    private final Set<String> jids = new LinkedHashSet<>();
    private final LinkedHashMap<String, Long> places = new LinkedHashMap<>();
    private final LinkedHashMap<String, String> refused = new LinkedHashMap<>();

    /// The queues of Sidekiq, or of Resque.
    ///
    /// @param leasing puts back what dead processes had in hand
    public record Half(QueueLayout layout, InFlightReader inFlight, Leasing leasing) {}

    /// Both of them.
    public record Halves(Half sidekiq, Half resque, ResqueKeys keys) {}

    /// A wish for what is to be erased.
    ///
    /// @param jobClass none but jobs of this class; "" for any
    /// @param isDry whether to count only
    public record Wish(String text, String jobClass, boolean isDry) {}

    /// @param connection for what is in neither process's hands; whoever made it closes it
    public Eraser(RedisConnection connection, Halves halves, Audit audit, Wish wish) {
        this.connection = connection;
        this.halves = halves;
        this.audit = audit;
        text = new TextSearch(wish.text());
        query = new JobQuery(Set.of(), wish.jobClass(), "", "", "");
        isDry = wish.isDry();
        erasing = new Erasing(connection, this::isWanted, isDry);
    }

    /// Whether a payload, or a record of a failure, is to go.
    private boolean isWanted(byte[] bytes) {
        if (!text.test(bytes)) {
            return false;
        }
        Payload record = Payload.tryParse(bytes);
        byte[] inner = record == null ? new byte[0] : record.value("payload");
        boolean isFailure = inner.length > 0 && inner[0] == '{';
        JobView job = JobView.of(isFailure ? inner : bytes, Redaction.NONE);
        if (!query.matches(job)) {
            return false;
        }
        if (jids.size() < JIDS_MAX && !job.jid().isEmpty()) {
            jids.add(job.jid());
        }
        return true;
    }

    public Erased erase() {
        boolean mayHoldMore = true;
        for (int round = 0; mayHoldMore && round < ROUNDS_MAX; round++) {
            long before = total();
            goRound();
            mayHoldMore = !isDry && total() > before;
        }
        if (mayHoldMore) {
            refused.put("the rest", "such jobs come as fast as they go, call it again");
        }
        List<InFlightReader.Holding> running = running();
        forgetProgress(running);
        return new Erased(places, running, refused);
    }

    private long total() {
        return places.values().stream().mapToLong(Long::longValue).sum();
    }

    private void goRound() {
        records();
        for (JobSet set : List.of(JobSet.SCHEDULE, JobSet.RETRY)) {
            set(set.key());
            set(Keys.cleared(set.key()));
        }
        delayed();
        for (Half half : List.of(halves.sidekiq(), halves.resque())) {
            queues(half);
        }
        set(JobSet.DEAD.key());
        set(Keys.cleared(JobSet.DEAD.key()));
        set(halves.resque().layout().oversized());
        failures();
    }

    private void set(String key) {
        at(key, () -> erasing.set(key));
    }

    /// What acts keep for their undo, which would bring jobs back, and words of operators.
    private void records() {
        for (AuditEntry entry : audit.newest(RECORDS_MAX)) {
            at("undo", () -> erasing.kept(entry.id()));
        }
        at("audit", () -> audit.hide(text, HIDDEN, isDry));
    }

    private void queues(Half half) {
        QueueLayout layout = half.layout();
        if (!isDry) {
            recover(half);
        }
        Side newest = layout.nextIsLeft() ? Side.RIGHT : Side.LEFT;
        Set<String> names = new LinkedHashSet<>(members(layout.names()));
        names.addAll(members(layout.served()));
        for (String name : names) {
            String queue = layout.queue(name);
            List<String> lists =
                    List.of(
                            queue,
                            layout.suspects(name),
                            layout.sharedArrivals(name),
                            Keys.cleared(queue));
            for (String key : lists) {
                at(key, () -> list(key, newest, _ -> {}));
            }
        }
    }

    private void recover(Half half) {
        List<String> queues = new ArrayList<>();
        at(
                half.layout().served(),
                () -> {
                    queues.addAll(half.leasing().queuesToRecover(""));
                    return 0;
                });
        for (String queue : queues) {
            at(
                    half.layout().leases(queue),
                    () -> {
                        var _ = half.leasing().recover(queue, "");
                        return 0;
                    });
        }
    }

    private long list(String key, Side newest, Consumer<byte[]> before) {
        return erasing.list(key, newest, before);
    }

    /// resque-scheduler's. A job's list is named in a set that has the payload in its name: that
    /// goes first, so that it is not left behind.
    private void delayed() {
        ResqueKeys keys = halves.keys();
        Set<String> seconds = new LinkedHashSet<>();
        at(
                keys.delayedSchedule(),
                () -> {
                    readSeconds(Keys.bytes(keys.delayedSchedule()), seconds);
                    return 0;
                });
        for (String second : seconds) {
            at(
                    keys.delayedSchedule(),
                    () ->
                            list(
                                    keys.delayed(second),
                                    Side.RIGHT,
                                    job ->
                                            connection.call(
                                                    RedisConnection.ascii("SREM"),
                                                    keys.timestamps(job),
                                                    Keys.bytes(ResqueKeys.delayedName(second)))));
        }
    }

    /// The last ones first: the others go while this reads, and none is passed over.
    private void readSeconds(byte[] schedule, Set<String> seconds) {
        LimitedReads limited = new LimitedReads(connection);
        long passed = 0;
        List<byte[]> pairs = limited.scored(schedule, true, passed, SECONDS_MAX);
        while (!pairs.isEmpty()) {
            for (int i = 0; i < pairs.size(); i += 2) {
                seconds.add(text(pairs.get(i)));
            }
            passed += pairs.size() / 2;
            pairs = limited.scored(schedule, true, passed, SECONDS_MAX);
        }
    }

    private void failures() {
        ResqueKeys keys = halves.keys();
        Set<String> lists = new LinkedHashSet<>(List.of(keys.failed()));
        members(keys.failedQueues()).forEach(name -> lists.add(keys.failureList(name)));
        lists.forEach(list -> at(list, () -> list(list, Side.RIGHT, _ -> {})));
    }

    /// Counts what is removed at a place; where Redis refuses, as for a key of a wrong type, the
    /// others go on.
    private void at(String place, LongSupplier removing) {
        try {
            Erased.add(places, place, removing.getAsLong());
        } catch (RedisFailure failure) {
            if (!failure.isOfOneCommand()) {
                throw failure;
            }
            refused.put(place, failure.reason());
        }
    }

    private List<String> members(String key) {
        List<String> names = new ArrayList<>();
        at(
                key,
                () -> {
                    if (connection.call("SMEMBERS", key) instanceof List<?> all) {
                        all.forEach(one -> names.add(text(one)));
                    }
                    return 0;
                });
        return names;
    }

    private static String text(Object reply) {
        return new String((byte[]) reply, StandardCharsets.UTF_8);
    }

    /// The jobs in processes' hands.
    public List<InFlightReader.Holding> running() {
        List<InFlightReader.Holding> running = new ArrayList<>();
        for (Half half : List.of(halves.sidekiq(), halves.resque())) {
            at(
                    half.layout().served(),
                    () -> {
                        running.addAll(half.inFlight().holdings(this::isWanted));
                        return 0;
                    });
        }
        return running;
    }

    /// How far iterable jobs had come.
    private void forgetProgress(List<InFlightReader.Holding> running) {
        Set<String> gone = new HashSet<>(jids);
        running.forEach(one -> gone.remove(one.jid()));
        if (isDry) {
            return;
        }
        for (String jid : gone) {
            byte[] key = Keys.iteration(Keys.bytes(jid));
            at("iterations", () -> unlink(key));
        }
    }

    private long unlink(byte[] key) {
        return connection.call(RedisConnection.ascii("UNLINK"), key) instanceof Long count
                ? count
                : 0;
    }
}
