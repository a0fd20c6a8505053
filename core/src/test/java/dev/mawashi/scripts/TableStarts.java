package dev.mawashi.scripts;

import static dev.mawashi.scripts.Start.changed;
import static dev.mawashi.scripts.Start.job;
import static dev.mawashi.scripts.StartKey.hash;
import static dev.mawashi.scripts.StartKey.list;
import static dev.mawashi.scripts.StartKey.set;
import static dev.mawashi.scripts.StartKey.sorted;
import static dev.mawashi.scripts.StartKey.string;

import java.util.ArrayList;
import java.util.List;

/// States for the scripts of what lies beside the jobs, and of what operators change.
final class TableStarts {
    private static final StartKey QUEUES = set("queues");
    private static final StartKey THREE = list("queue:q", job(3), job(2), job(1));
    private static final StartKey KEPT_LIST = list("kept");
    private static final StartKey KEPT_SET = sorted("kept");

    private static final StartKey LOCKS = hash("locks", "a", "9999999999999 own A");

    private TableStarts() {}

    static List<Start> all() {
        List<Start> all = new ArrayList<>();
        all.addAll(records());
        all.addAll(beats());
        all.addAll(queues());
        all.addAll(moves());
        all.addAll(reads());
        all.addAll(sets());
        all.addAll(undoing());
        all.addAll(locks());
        all.addAll(MigrationStarts.all());
        return all;
    }

    private static List<Start> locks() {
        String[] jobs = {
            "a", "own1", "A", "", "60000", "", "1", job(1), "b", "own2", "B", "before", "60000", "",
            "2", job(2), "c", "own3~2", "C", "own3", "60000", "1", "3", job(3)
        };
        String end = "9999999999999";
        StartKey locks =
                hash("locks", "b", end + " before~1 B", "c", end + " own3~1 C", "d", "1 over D");
        return List.of(
                Start.of("drop_cleared.lua", list("cleared", job(1), job(2), job(3)))
                        .args("list", "2", job(1), job(2), "60")
                        .deleting(),
                Start.of("drop_cleared.lua", sorted("cleared", "1", job(1), "2", job(2)))
                        .args("set", "1", job(1), job(1), "60")
                        .deleting(),
                Start.of("free_locks.lua", locks).args("a", "own1", "b", "before~1", "c", "mine"),
                Start.of(
                                "free_gem_lock.lua",
                                hash("holders", "7a", "1.5", "7b", "2.5"),
                                string("digest", "7a"),
                                list("queued", "7a"),
                                list("primed", "7a"),
                                string("facts", "{}"),
                                sorted("digests", "1", "digest", "2", "other"),
                                sorted("expiring", "1", "digest"))
                        .args("digest", "7a", "7b", "7c"),
                Start.of("enqueue_unique.lua", QUEUES, list("queue:q", job(9)), locks)
                        .args(Start.with(new String[] {"q"}, jobs))
                        .bringing("job1", "job2", "job3"),
                Start.of("enqueue_unique.lua", QUEUES, sorted("schedule", "1", job(9)), locks)
                        .args(Start.with(new String[] {""}, jobs))
                        .bringing("job1", "job2", "job3"));
    }

    private static List<Start> records() {
        return List.of(
                Start.of("answer.lua", list("answer")).args("answer", "60"),
                Start.of("ask.lua", hash("record", "info", "{}", "asks", "1"), list("questions"))
                        .args("question", "asks", "5", "60"),
                Start.of("audit.lua", list("audit", "begun")).args("done", "begun", "100", "60"),
                Start.of("iterate.lua", hash("state")).args("60", "cursor", "1", "cancelled", "5"),
                Start.of("mark_cancelled.lua", sorted("cancelled")).args("jid", "10", "60"),
                Start.of("turn.lua", string("turn", "mine")).args("mine", "60000"),
                Start.of("turn.lua", string("turn", "mine")).args("mine", "0"));
    }

    private static List<Start> beats() {
        String[] fields = new String[18];
        for (int i = 0; i < fields.length; i++) {
            fields[i] = "f" + i;
        }
        String[] beat =
                Start.with(Start.with(new String[] {"me", "60", "18"}, fields), "slot", "work");
        return List.of(
                Start.of(
                                "beat.lua",
                                set("processes"),
                                hash("record"),
                                hash("work"),
                                hash("workers"),
                                list("signals", "TERM"))
                        .args(beat),
                Start.of(
                                "resque_beat.lua",
                                set("workers"),
                                hash("heartbeats"),
                                string("runs"),
                                string("runs:w1"),
                                string("worker:w1"),
                                string("started:w1"),
                                string("worker:w2"),
                                string("started:w2"))
                        .args("1", "now", "start", "w1", "runs this", "w2", ""),
                Start.of("count.lua", string("runs"), string("runs:today")).args("1", "60"),
                Start.of(
                                "metrics.lua",
                                string("batch", "0"),
                                hash("counts"),
                                hash("runners"),
                                string("histogram"))
                        .args((_, call) -> metrics(Integer.toString(call + 1))));
    }

    private static List<String> metrics(String batch) {
        return List.of(
                batch, "60", "60", "jruby", "1", "1", "60", "60", "C", "2", "1", "30", "1", "0",
                "2");
    }

    private static List<Start> queues() {
        String[] fromTheRight = {
            "60", job(1), "-1", "1", "a", "own", "gone", "-2", "1", "b", "own", job(3), "-3", "1",
            "", ""
        };
        String[] fromTheLeft = {
            "60", job(3), "0", "1", "a", "own", job(2), "1", "1", "", "", "gone", "2", "1", "", ""
        };
        return List.of(
                Start.of("find_jobs.lua", THREE).args("1", "0", job(2)),
                Start.of("delete_jobs.lua", THREE, LOCKS, KEPT_LIST).args(fromTheRight),
                Start.of("delete_jobs.lua", THREE, LOCKS, KEPT_LIST).args(fromTheLeft),
                Start.of("delete_jobs.lua", THREE, LOCKS)
                        .args("0", job(3), "0", "0", "a", "own")
                        .deleting(),
                Start.of(
                                "clear_queue.lua",
                                set("queues", "q"),
                                THREE,
                                list("arrivals", job(4)),
                                list("suspects", job(5)),
                                LOCKS,
                                list("cleared"),
                                KEPT_LIST)
                        .args("100", "100000", "60", "q")
                        .deleting()
                        .noting("cleared"),
                Start.of(
                                "clear_queue.lua",
                                set("queues", "q"),
                                THREE,
                                list("arrivals", job(4)),
                                list("suspects", job(5)),
                                LOCKS,
                                list("cleared"))
                        .args("100", "100000", "60", "q")
                        .deleting());
    }

    private static List<Start> moves() {
        StartKey other = list("queue:other", job(9));
        StartKey moved = list("queue:other", job(9), changed(2), changed(1));
        String one = job(1);
        String two = job(2);
        String[] first = {"other", one, "-1", changed(1), "gone", "-2", "gone"};
        String[] done = {"q", one, "0", "noted", changed(1), two, "5", "noted", changed(2)};
        return List.of(
                Start.of("move_jobs.lua", THREE, other, QUEUES)
                        .args(Start.with(first, job(3), "-3", changed(3))),
                Start.of(
                                "move_back.lua",
                                list("noted", one, changed(1), two, changed(2)),
                                moved,
                                queue(),
                                QUEUES)
                        .args("q", "10")
                        .noting("noted"),
                Start.of("requeue_failed.lua", list("failed", one, two), QUEUES, queue())
                        .args(done));
    }

    private static List<Start> reads() {
        StartKey entries = sorted("dead", "1", job(1), "2", job(2));
        StartKey fields = hash("fields", "1", job(1));
        return List.of(
                Start.of("hash.lua", fields).args("1000", "10000"),
                Start.of("head.lua", THREE).args("1000", "10"),
                Start.of("part.lua", THREE).args("left", "0", "10", "1000"),
                Start.of("scan.lua", entries).args("set", "0", "10", "1000"),
                Start.of("scan.lua", fields).args("hash", "0", "10", "1000"),
                Start.of("scored.lua", entries).args("up", "0", "10", "1000", "(0", "", ""),
                Start.of("text.lua", string("text", "text")).args("1000"));
    }

    private static StartKey queue() {
        return list("queue:q", job(8));
    }

    private static List<Start> sets() {
        StartKey dead = sorted("dead", "1", job(1), "2", job(2), "3", job(3));
        return List.of(
                Start.of("take_out.lua", dead, LOCKS, KEPT_SET)
                        .args("60", "2", job(1), "a", "own", job(2), "", "", "gone", "", ""),
                Start.of("take_out.lua", dead, LOCKS, KEPT_SET)
                        .args("60", "1", job(1), "", "", job(2), "a", "own")
                        .deleting(),
                Start.of("take_out.lua", dead, LOCKS)
                        .args("60", "0", job(1), "", "", job(2), "a", "own")
                        .deleting(),
                Start.of("clear_set.lua", dead, LOCKS, sorted("cleared"), KEPT_SET)
                        .args("100", "100000", "60")
                        .deleting()
                        .noting("cleared"),
                Start.of("clear_set.lua", dead, LOCKS, sorted("cleared"))
                        .args("100", "100000", "60")
                        .deleting());
    }

    private static List<Start> undoing() {
        StartKey kept = sorted("kept", "1", job(1), "2", job(2));
        StartKey retry = sorted("retry", "5", job(1), "6", job(3));
        return List.of(
                Start.of("put_back.lua", kept, retry).args("10"),
                Start.of("put_back.lua", kept, retry, sorted("dead", "7", job(1), "8", job(2)))
                        .args("10")
                        .noting("kept"),
                Start.of("put_back_jobs.lua", list("kept", job(2), job(1)), queue(), QUEUES)
                        .args("q"),
                Start.of(
                                "unqueue.lua",
                                list("noted", "q", changed(1), job(1), "5"),
                                list("queue:q", changed(2), changed(1), job(9)),
                                retry)
                        .args("10", "q", changed(1), job(1), "5")
                        .noting("noted"));
    }
}
