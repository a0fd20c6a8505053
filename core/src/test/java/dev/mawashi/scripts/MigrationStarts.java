package dev.mawashi.scripts;

import static dev.mawashi.scripts.Start.job;
import static dev.mawashi.scripts.StartKey.hash;
import static dev.mawashi.scripts.StartKey.list;
import static dev.mawashi.scripts.StartKey.set;
import static dev.mawashi.scripts.StartKey.sorted;
import static dev.mawashi.scripts.StartKey.string;

import java.util.List;
import java.util.stream.Stream;

/// States for the scripts that move jobs to another Redis.
final class MigrationStarts {
    private static final StartKey QUEUES = set("queues");
    private static final StartKey THREE = list("queue:q", job(3), job(2), job(1));
    private static final StartKey LOCKS = hash("locks", "a", "9999999999999 own A");

    private MigrationStarts() {}

    private static final String HEAD = "{\"batch\":\"b\"}";
    private static final StartKey DEAD = sorted("dead", "1", job(1), "2", job(2), "3", job(3));
    private static final StartKey MARK = string("mark");
    private static final StartKey BATCH = list("batch");
    private static final StartKey TURN = string("turn", "mine");

    static List<Start> all() {
        return Stream.of(takes(), adds(), ends(), delayed()).flatMap(List::stream).toList();
    }

    private static List<Start> takes() {
        return List.of(
                Start.of("take_batch.lua", THREE, BATCH, TURN, LOCKS)
                        .args("list", "mine", HEAD, "2", "1000", "RIGHT"),
                Start.of("take_batch.lua", DEAD, BATCH, TURN, LOCKS)
                        .args("set", "mine", HEAD, "2", "1000", "RIGHT"),
                Start.of("take_batch.lua", string("count", "7"), BATCH, TURN, LOCKS)
                        .args("count", "mine", HEAD, "2", "1000", "RIGHT"));
    }

    private static List<Start> adds() {
        String[] batch = {"list", "q", "LEFT", "1", "a", "9999999999999 own C", job(1), job(2)};
        return List.of(
                Start.of("add_batch.lua", MARK, list("brought"), QUEUES, LOCKS)
                        .args(batch)
                        .bringing("job1", "job2"),
                Start.of("add_batch.lua", MARK, list("resque:queue:q"), QUEUES, LOCKS)
                        .args("list", "q", "RIGHT", "0", job(1))
                        .bringing("job1"),
                Start.of("add_batch.lua", MARK, DEAD, QUEUES, LOCKS)
                        .args("set", "", "LEFT", "0", "5", job(4))
                        .bringing("job4"),
                Start.of("add_batch.lua", MARK, string("count", "7"), QUEUES, LOCKS)
                        .args("count", "", "LEFT", "0", "60", "5"),
                Start.of(
                                "splice.lua",
                                list("brought", job(2), job(1)),
                                list("queue:q", job(4), job(3)),
                                QUEUES,
                                MARK)
                        .args("q", "1", "1000", "60"));
    }

    private static List<Start> ends() {
        StartKey one = list("batch", HEAD, job(4));
        return List.of(
                Start.of("end_batch.lua", list("batch", HEAD, job(1)), LOCKS)
                        .args(HEAD, "a", "9999999999999 own A")
                        .deleting(),
                Start.of("return_batch.lua", one, THREE).args("list", HEAD, "RIGHT"),
                Start.of("return_batch.lua", one, THREE).args("list", HEAD, "LEFT"),
                Start.of("return_batch.lua", list("batch", HEAD, "5", job(4)), DEAD)
                        .args("set", HEAD, "RIGHT"),
                Start.of("return_batch.lua", list("batch", HEAD, "60", "5"), string("count", "7"))
                        .args("count", HEAD, "RIGHT"));
    }

    private static List<Start> delayed() {
        StartKey seconds = sorted("seconds", "5", "5", "6", "6");
        StartKey five = list("delayed:5", job(1), job(2));
        StartKey six = list("delayed:6", job(3));
        String[] both = {"5", "5", "delayed:5", job(4), "7", "7", "delayed:7", job(5)};
        return List.of(
                Start.of("take_delayed.lua", seconds, BATCH, TURN, five, six)
                        .args("mine", HEAD, "10", "1000", "5", "6"),
                Start.of("take_delayed.lua", seconds, BATCH, TURN, five, six)
                        .args("mine", HEAD, "1", "1000", "5", "6"),
                Start.of(
                                "add_delayed.lua",
                                MARK,
                                seconds,
                                five,
                                set("timestamps:4"),
                                list("delayed:7"),
                                set("timestamps:5"))
                        .args(both)
                        .bringing("job4", "job5"),
                Start.of(
                                "return_delayed.lua",
                                list("batch", HEAD, "5", "5", job(4), "7", "7", job(5)),
                                seconds,
                                five,
                                list("delayed:7"))
                        .args(HEAD));
    }
}
