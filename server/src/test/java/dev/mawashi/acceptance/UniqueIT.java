package dev.mawashi.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.EachOf;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `unique_for` and `unique_until`, as an app's process enqueues with the sidekiq gem and with the
/// shipped API, and as servers free the locks.
final class UniqueIT {
    private static final Path RUBY = Path.of("../ruby/src/main/ruby").toAbsolutePath();
    private static final String APP = Programs.SCRIPTS.resolve("unique_app.rb").toString();

    @TempDir Path folder;

    private static Child client(Workplace place, boolean hasGem, String... environment) {
        String lib = hasGem ? RUBY.toString() : RUBY + ":" + RUBY.resolve("mawashi/shim");
        Map<String, String> all = new HashMap<>(Map.of("RUBYLIB", lib));
        for (String name : environment) {
            all.put(name, "1");
        }
        return place.start(
                "client", List.of("ruby", Programs.SCRIPTS.resolve("unique.rb").toString()), all);
    }

    private static Child server(Workplace place, Map<String, String> gems, String... flags) {
        List<String> all =
                new ArrayList<>(
                        List.of("run", "-r", APP, "--lease", "2", "--sweep", "0.5", "-c", "6"));
        all.addAll(List.of(flags));
        return place.mawashi(gems, all.toArray(String[]::new));
    }

    /// Each order is given once, so that its answer is told from others.
    private static void obey(Child client, String order, Object answer) {
        client.write(order);
        client.awaitLog(order + ": ");
        assertThat(client.log()).contains(order + ": " + answer + "\n");
    }

    private static List<String> locks(Workplace place) {
        return place.strings("HVALS", "mw:locks").stream()
                .map(key -> new String(key, UTF_8))
                .toList();
    }

    /// How long a lock lasts from now on.
    private static long seconds(String lock) {
        long end = Long.parseLong(lock.substring(0, lock.indexOf(' ')));
        return Duration.between(Instant.now(), Instant.ofEpochMilli(end)).toSeconds();
    }

    private static void awaitBegun(Workplace place, String jobClass, int times) {
        place.await(jobClass + " begins", () -> place.ledger().count("start", jobClass) == times);
    }

    /// On each runner, enqueued with the gem and without, and with the gem and without in the
    /// server.
    @EachOf({"mri, true, true", "jruby, true, false", "jruby, false, true", "fork, false, false"})
    void aLockIsThereWhileItsJobIs(String runner, boolean clientHasGem, boolean serverHasGem) {
        try (Workplace place = new Workplace(folder)) {
            Child client = client(place, clientHasGem);
            pushesBeforeTheServer(place, client);

            Child server =
                    server(
                            place,
                            serverHasGem ? Workplace.DEBIAN_GEMS : Workplace.NO_GEMS,
                            "--runner",
                            runner);
            pushesWhileJobsRun(place, client);
            place.open("one");
            place.open("two");
            place.await("one fails", () -> place.number("ZCARD", "retry") == 1);
            place.await("one is dead", () -> place.number("ZCARD", "dead") == 1);
            place.await("all are settled", () -> place.isSettledBy(server));

            assertThat(place.ledger().lines("enqueued").getFirst().toString())
                    .contains("five", "10");
            obey(client, "push UniqueShakyJob  three", "no");
            // It waits for its retry, one for later, and two that the job has enqueued.
            assertThat(locks(place)).hasSize(4);
            obey(client, "push   UniqueJob one", "yes");
            obey(client, "push UniqueDoomedJob  four", "yes");
        }
    }

    private static void pushesBeforeTheServer(Workplace place, Child client) {
        obey(client, "push UniqueJob one", "yes");
        obey(client, "push UniqueJob  one", "no");
        obey(client, "in UniqueJob one", "no");
        obey(client, "in UniqueJob later", "yes");
        obey(client, "push UniqueJob later", "no");
        obey(client, "free UniqueJob one", "yes");
        assertThat(place.queued()).hasSize(2);
        assertThat(place.strings("ZRANGE", "schedule", "0", "-1")).hasSize(1);
    }

    private static void pushesWhileJobsRun(Workplace place, Child client) {
        awaitBegun(place, "UniqueJob", 2);
        obey(client, "push  UniqueJob one", "no");
        obey(client, "push BegunJob two", "yes");
        obey(client, "push UniqueShakyJob three", "yes");
        obey(client, "push UniqueDoomedJob four", "yes");
        obey(client, "push EnqueuingJob five", "yes");
        awaitBegun(place, "BegunJob", 1);
        // It was free before the job wrote down that it begins. Both run, so none waits.
        obey(client, "push  BegunJob two", "yes");
        awaitBegun(place, "BegunJob", 2);
        obey(client, "push  BegunJob  two", "yes");
    }

    @EachOf({"true", "false"})
    void ofManyThatEnqueueAtOnceOneDoes(boolean hasGem) {
        try (Workplace place = new Workplace(folder)) {
            Child client = client(place, hasGem);
            obey(client, "race UniqueJob one", 1);
            obey(client, "bulk UniqueJob one two three two", 2);
            obey(client, "bulk ContextJob four five", 2);
            assertThat(place.queued()).hasSize(5);
            assertThat(locks(place)).hasSize(5);
            assertThat(locks(place)).allMatch(lock -> seconds(lock) <= 600 && seconds(lock) > 0);
            assertThat(locks(place)).anyMatch(lock -> lock.endsWith(" ContextJob"));
            obey(client, "in UniqueJob later", "yes");
            assertThat(locks(place)).anyMatch(lock -> seconds(lock) > 1_100);
        }
    }

    @EachOf({"true", "false"})
    void wrongOptionsAreRefused(boolean hasGem) {
        try (Workplace place = new Workplace(folder)) {
            Child client = client(place, hasGem);
            String remedy = "is no time: give seconds above 0, such as 600, or false";
            for (String value : List.of("0", "-1", "\"soon\"", "true", "1e300")) {
                client.write("bad PlainJob {\"unique_for\":" + value + "}");
                client.awaitLog(
                        "{\"unique_for\":" + value + "}: ArgumentError PlainJob, unique_for:");
            }
            assertThat(client.log().split(remedy, -1)).hasSize(6);
            client.write("bad PlainJob {\"unique_for\":5,\"unique_until\":\"banana\"}");
            client.awaitLog(
                    "ArgumentError PlainJob, unique_until: \"banana\" is neither :success nor"
                            + " :start: give one of them, or leave it out");
            assertThat(place.queued()).isEmpty();
            assertThat(locks(place)).isEmpty();
        }
    }

    /// What another Sidekiq's poller takes out of the schedule must not be lost.
    @EachOf({"true", "false"})
    void aJobThatIsEnqueuedAgainKeepsItsLock(boolean hasGem) {
        try (Workplace place = new Workplace(folder)) {
            Child client = client(place, hasGem);
            obey(client, "in UniqueJob one", "yes");
            obey(client, "same UniqueJob one", "yes");
            assertThat(place.queued()).hasSize(1);
            obey(client, "push UniqueJob one", "no");
            place.open("one");

            Child server = server(place, Workplace.NO_GEMS, "--runner", "mri");

            place.await("it ends", () -> place.ledger().count("end", "UniqueJob") == 1);
            place.await("it is settled", () -> place.isSettledBy(server));
            assertThat(locks(place)).isEmpty();
        }
    }

    /// A payload's jid may be any text: spaces, none, a number alone, other scripts, two lines.
    /// Long: a server more; `aLockIsThereWhileItsJobIs` is the quick one.
    @Tag("long")
    @EachOf({"mri, true", "fork, true", "jruby, false"})
    void jobsOfOddJidsHoldTheirLocksAndFreeThem(String runner, boolean hasGem) {
        try (Workplace place = new Workplace(folder)) {
            Child client = client(place, hasGem);
            List<String> words = List.of("one", "two", "three", "four", "five");
            List<String> jids = List.of("a%20b", "", "1", "%E6%97%A5~", "a%0Ab");
            for (int i = 0; i < words.size(); i++) {
                obey(client, "jid UniqueJob " + words.get(i) + " =" + jids.get(i), "yes");
                obey(client, "push UniqueJob " + words.get(i), "no");
            }
            assertThat(place.number("LLEN", "queue:default")).isEqualTo(5);
            words.forEach(place::open);

            server(place, Workplace.NO_GEMS, "--runner", runner);

            place.await("all locks are free", () -> locks(place).isEmpty());
            assertThat(place.number("LLEN", "queue:default")).isZero();
            assertThat(place.number("EXISTS", "retry", "dead")).isZero();
        }
    }

    /// Long: two servers; `NamespaceIT` has a lock of a killed one, `CrashPointIT` each step.
    @Tag("long")
    @Test
    void aKilledServerLeavesTheLockToTheJobsNextRun() {
        try (Workplace place = new Workplace(folder)) {
            Child client = client(place, true);
            obey(client, "push UniqueJob one", "yes");
            Child first = server(place, Workplace.NO_GEMS, "--runner", "mri");
            awaitBegun(place, "UniqueJob", 1);
            first.signal("KILL");
            assertThat(first.awaitExit()).isNotZero();
            obey(client, "push UniqueJob  one", "no");

            Child second = server(place, Workplace.NO_GEMS, "--runner", "mri");
            awaitBegun(place, "UniqueJob", 2);
            obey(client, "push  UniqueJob one", "no");
            place.open("one");
            place.await("it is settled", () -> place.isSettledBy(second));
            assertThat(locks(place)).isEmpty();
        }
    }

    /// The job enqueues itself anew while it runs and its lock is its own.
    @Test
    void anActiveJobThatIsEnqueuedAgainTakesItsLockAlong() {
        String app = Programs.SCRIPTS.resolve("unique_active_job.rb").toString();
        try (Workplace place = new Workplace(folder)) {
            assertThat(place.ruby("active", "-I" + RUBY, app)).endsWith("yes no yes");

            String gems = place.ruby("gems", "-e", "puts Gem.path.join(':')").getLast();
            Child server =
                    place.mawashi(Map.of("GEM_PATH", gems), "run", "-r", app, "--runner", "mri");

            awaitBegun(place, "UniqueActiveJob", 2);
            place.await("both are for later", () -> place.number("ZCARD", "schedule") == 2);
            place.await("they are settled", () -> place.isSettledBy(server));
            assertThat(locks(place)).hasSize(2);
            assertThat(place.ruby("again", "-I" + RUBY, app, "all")).endsWith("no no");
        }
    }

    @EachOf({"RELIABLE", "RELIABLE_FIRST"})
    void jobsThatWaitForRedisInTheAppAreEnqueuedOnce(String order) {
        try (Workplace place = new Workplace(folder)) {
            Child client = client(place, true, order);
            obey(client, "push PlainJob before", "yes");
            place.killRedis();
            obey(client, "push UniqueJob one", "yes");
            obey(client, "push UniqueJob  one", "yes");
            client.write("bad PlainJob {\"unique_for\":0}");
            client.awaitLog("ArgumentError PlainJob, unique_for: 0");
            obey(client, "push PlainJob behind", "yes");

            place.startRedis();

            client.awaitLog("Redis answers; kept jobs that are enqueued now: 3");
            assertThat(place.queued()).hasSize(2);
            assertThat(locks(place)).hasSize(1);
        }
    }
}
