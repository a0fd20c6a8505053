package dev.mawashi.scripts;

import static dev.mawashi.scripts.Start.changed;
import static dev.mawashi.scripts.Start.job;
import static dev.mawashi.scripts.StartKey.hash;
import static dev.mawashi.scripts.StartKey.list;
import static dev.mawashi.scripts.StartKey.set;
import static dev.mawashi.scripts.StartKey.sorted;
import static dev.mawashi.scripts.StartKey.string;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;

/// States for the broker's scripts.
final class BrokerStarts {
    private static final String FAR = "9999999999999";
    private static final String OLD = "1";
    private static final StartKey LEASES = sorted("leases", FAR, "a");
    private static final StartKey QUEUE = list("queue:q", job(9));
    private static final StartKey QUEUES = set("queues");

    private BrokerStarts() {}

    static List<Start> all() {
        List<Start> all = new ArrayList<>();
        all.addAll(enqueued());
        all.addAll(fired());
        all.addAll(claims());
        all.addAll(arrivals());
        all.addAll(suspectsAndAbandoned());
        all.addAll(settlements());
        all.addAll(scheduled());
        all.addAll(delayed());
        all.addAll(leases());
        all.addAll(recoveries());
        return all;
    }

    private static List<Start> enqueued() {
        StartKey schedule = sorted("schedule", OLD, job(8));
        StartKey other = list("queue:other");
        String[] jobs = {"2", "q", "2", job(1), job(2), "other", "1", job(3), OLD, job(4)};
        return List.of(
                Start.of("enqueue.lua", QUEUES, schedule, QUEUE, other, string("receipt"))
                        .args(Start.with(new String[] {"noted", "60"}, jobs))
                        .bringing("job1", "job2", "job3", "job4"),
                Start.of(
                                "enqueue.lua",
                                QUEUES,
                                schedule,
                                QUEUE,
                                other,
                                string("receipt", "earlier"))
                        .args(Start.with(new String[] {"noted", "60"}, jobs))
                        .bringing("job1", "job2", "job3", "job4"));
    }

    private static List<Start> fired() {
        StartKey marks = hash("marks", "nightly", "1000 0 0 * * * UTC");
        StartKey runs = list("runs", "{\"outcome\":\"paused\"}");
        String[] tick = {"nightly", "2000", "1000", "0 0 * * * UTC", "run", "paused", "20", "60"};
        return List.of(
                Start.of("fire.lua", marks, set("paused", "other"), runs, QUEUES, QUEUE)
                        .args(Start.with(tick, "q", job(1)))
                        .bringing("job1"),
                Start.of("gem_status.lua", hash("cron_job:nightly", "status", "enabled"))
                        .args("disabled"));
    }

    private static List<Start> claims() {
        String wide = job(2) + " ".repeat(1_000);
        StartKey dead = sorted("dead", OLD, "old", FAR, wide);
        StartKey arrived = list("arrivals", job(5), job(4));
        StartKey inflight = hash("inflight", "floor", "1");
        return List.of(
                Start.of(
                                "claim.lua",
                                dead,
                                list("queue:q", job(3), job(1)),
                                arrived,
                                inflight,
                                LEASES)
                        .args((_, call) -> claim(call, "5000")),
                Start.of(
                                "claim.lua",
                                dead,
                                list("queue:q", job(3), wide, job(1)),
                                arrived,
                                inflight,
                                LEASES)
                        .args((_, call) -> claim(call, "5000")),
                Start.of(
                                "claim.lua",
                                dead,
                                list("queue:q", job(3), wide, job(1)),
                                arrived,
                                inflight,
                                LEASES)
                        .args((_, call) -> claim(call, "500")));
    }

    private static List<Start> arrivals() {
        StartKey inflight = hash("inflight", "floor", "1");
        StartKey arrived = list("arrivals", job(3), job(2), job(1));
        StartKey back = list("arrivals", job(1), job(2));
        return List.of(
                Start.of("arrive.lua", arrived, inflight, LEASES, sorted("recovered"))
                        .args("a", "7", job(2)),
                Start.of("give_back.lua", back, QUEUE).args("1", "1000"),
                Start.of("give_back.lua", back, QUEUE, inflight, LEASES)
                        .args("1", "1000", "a", "50", "fence"),
                Start.of("requeue.lua", hash("inflight", "5", job(1), "6", job(2)), QUEUE)
                        .args("6", "5"));
    }

    private static List<String> claim(int call, String largest) {
        String token = Integer.toString(100 * (call + 1));
        return List.of("a", token, "10", "1000", largest, "60000", "10000", "f");
    }

    private static List<Start> suspectsAndAbandoned() {
        StartKey alone = hash("alone", sha1(job(1)), "2");
        StartKey claimed =
                hash(
                        "inflight",
                        "10",
                        job(1),
                        "11",
                        job(2),
                        "13",
                        job(3),
                        "solo",
                        "13 2",
                        "floor",
                        "5");
        StartKey suspects = list("suspects", job(8));
        return List.of(
                Start.of(
                                "claim_suspect.lua",
                                list("suspects", job(3), job(2), job(1)),
                                hash("inflight", "floor", "1"),
                                LEASES,
                                alone)
                        .args((_, call) -> List.of("a", "" + (10 + call))),
                Start.of("abandon.lua", claimed, QUEUE, suspects, hash("alone"), LEASES)
                        .args("10", "20", "60", "a"),
                Start.of("abandon.lua", claimed, QUEUE, suspects, hash("alone"), sorted("leases"))
                        .args("10", "20", "60", "a"));
    }

    private static List<Start> settlements() {
        StartKey inflight = hash("inflight", "5", job(1), "6", job(2));
        StartKey dead = sorted("dead", OLD, "old", FAR, changed(1));
        StartKey retry = sorted("retry", OLD, job(1), "2", job(2), "3", job(3));
        return List.of(
                Start.of("retry.lua", inflight, sorted("retry", OLD, changed(1)))
                        .args("5", "60", changed(1)),
                Start.of("bury.lua", inflight, dead).args("5", changed(1), "60", "10000"),
                Start.of("bury.lua", inflight, dead, hash("locks", "a", "1 own A"))
                        .args("5", changed(1), "60", "10000", "a", "own"),
                Start.of("done.lua", inflight, hash("locks", "a", "1 own A"))
                        .args("5", "a", "own")
                        .deleting(),
                Start.of("done.lua", inflight, hash("locks", "a", "1 other A"))
                        .args("5", "a", "own")
                        .deleting(),
                Start.of(
                                "fail.lua",
                                inflight,
                                list("failed"),
                                set("failures"),
                                string("stat:failed"),
                                string("stat:failed:w"))
                        .args("5", changed(1), "own"),
                Start.of(
                                "kill.lua",
                                retry,
                                sorted("dead", OLD, "old", FAR, job(1)),
                                hash("locks", "a", "1 own A"))
                        .args(
                                "60", "10000", job(1), "a", "own", job(2), "", "", "gone", "b",
                                "own"));
    }

    private static List<Start> scheduled() {
        StartKey retry = sorted("retry", OLD, job(1), "2", job(2), "3", job(3));
        return List.of(
                Start.of("promote.lua", retry, QUEUES, QUEUE)
                        .args("q", job(1), changed(1), "gone", "gone", job(2), changed(2)),
                Start.of("postpone.lua", retry).args("60", job(1), "gone"),
                Start.of("due.lua", retry).args("10", "1000"));
    }

    private static List<Start> delayed() {
        StartKey lock = string("lock");
        StartKey seconds = sorted("seconds", "1", "1");
        StartKey jobs = list("delayed:1", job(1), job(2));
        StartKey first = set("timestamps:1", "delayed:1");
        StartKey second = set("timestamps:2", "delayed:1");
        return List.of(
                Start.of("delayed_due.lua", seconds, lock),
                Start.of("delayed_first.lua", jobs).args("10", "1000"),
                Start.of("delayed.lua", lock, seconds, jobs, QUEUES, QUEUE, first, second)
                        .args("1", "delayed:1", "q", job(1), changed(1), job(2), changed(2)),
                Start.of(
                                "delayed_postpone.lua",
                                lock,
                                seconds,
                                jobs,
                                list("delayed:99"),
                                first,
                                second)
                        .args("1", "delayed:1", "99", "delayed:99", job(1), job(2)));
    }

    private static List<Start> leases() {
        StartKey served = set("served", "q");
        StartKey leases = sorted("leases", OLD, "b");
        StartKey recovered = sorted("recovered");
        StartKey inflight = hash("inflight", "5", job(1));
        StartKey arrivals = list("arrivals", job(2));
        StartKey suspects = list("suspects", job(3));
        return List.of(
                Start.of("lease.lua", served, leases, recovered).args("a", "30000", "open", "q"),
                Start.of("lease.lua", served, leases, recovered).args("a", "30000", "renew", "q"),
                Start.of("lapsed.lua", leases),
                Start.of("adopt.lua", served, leases, inflight).args("q", "a"),
                Start.of("adopt.lua", served, leases, arrivals).args("q", "a"),
                Start.of("forget.lua", served, sorted("leases"), list("arrivals"), list("suspects"))
                        .args("q"),
                Start.of("forget.lua", served, leases, arrivals, suspects).args("q"),
                Start.of(
                                "give_up.lua",
                                LEASES,
                                hash("inflight"),
                                list("suspects"),
                                list("arrivals"))
                        .args("a"),
                Start.of("give_up.lua", LEASES, inflight, suspects, arrivals).args("a"),
                Start.of("in_flight.lua", inflight));
    }

    private static List<Start> recoveries() {
        return List.of(
                recover(sorted("leases", OLD, "a", FAR, "b"))
                        .args((redis, _) -> step(redis, "lapsed")),
                recover(LEASES).args((redis, _) -> step(redis, "release")),
                heldAgain());
    }

    private static Start recover(StartKey leases) {
        return Start.of(
                "recover.lua",
                leases,
                hash(
                        "inflight",
                        "5",
                        job(1),
                        "6",
                        job(2),
                        "7",
                        job(3),
                        "solo",
                        "7 1",
                        "floor",
                        "9"),
                QUEUE,
                hash("crashes", sha1(job(2)), "1", sha1(job(7)), "1"),
                list("suspects", job(8), job(7)),
                hash("alone", sha1(job(8)), "1"),
                sorted("recovered"),
                hash("noted", sha1(job(3)), "1"),
                list("arrivals", job(5), job(4)));
    }

    private static Start heldAgain() {
        String[] some = {"a", "100", "5", job(1), "", "6", job(2), ""};
        return Start.of(
                        "hold_again.lua",
                        hash("inflight", "floor", "1"),
                        LEASES,
                        list("queue:q", job(9), job(1)),
                        list("arrivals", job(2)),
                        list("suspects", job(3)),
                        hash("alone", sha1(job(3)), "1"))
                .args(Start.with(some, "7", job(3), "2", "8", job(4), ""))
                .bringing("job1", "job2", "job3", "job4");
    }

    /// The newest tokens first, as the one who recovers reads them.
    private static List<String> step(RedisConnection redis, String mode) {
        List<String> args =
                new ArrayList<>(List.of("a", mode, "60", "10", "1000", "60", "100000", "10"));
        try {
            ((List<?>) Objects.requireNonNull(redis.call("HKEYS", "inflight")))
                    .stream()
                            .map(field -> new String((byte[]) field, StandardCharsets.UTF_8))
                            .filter(field -> Character.isDigit(field.charAt(0)))
                            .sorted(
                                    Comparator.comparingLong(
                                            (String token) -> -Long.parseLong(token)))
                            .forEach(args::add);
        } catch (RedisFailure _) {
            // It is of a wrong type just now.
        }
        return args;
    }

    private static String sha1(String payload) {
        try {
            byte[] bytes = payload.getBytes(StandardCharsets.UTF_8);
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-1", e);
        }
    }
}
