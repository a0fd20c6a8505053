package dev.mawashi.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.EachOf;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// `mawashi restart` of real servers, whose app lies in releases and uses the sidekiq gem.
final class RestartIT {
    private static final Pattern LISTED = Pattern.compile("(?m)^(\\d+) .* (\\d+)$");

    /// Jobs that make something else of the interrupt that is to end them.
    private static final String RESCUES =
            "CodeJob.prepend(Module.new { def perform(gate = nil); super; rescue Interrupt; nil;"
                    + " end })";

    private static final String RAISES =
            "CodeJob.prepend(Module.new { def perform(gate = nil); super; rescue Interrupt;"
                    + " raise \"no\"; end })";

    /// A server has some eighty.
    private static final long FILES_MAX = 1_000;

    @TempDir Path folder;

    /// Starts a server and waits until commands can ask it.
    private static Child server(Workplace place, Releases app, String runner) {
        List<String> flags = new ArrayList<>(List.of("--runner", runner, "-t", "1"));
        flags.addAll(
                runner.equals("mri") ? List.of("--processes", "2", "-c", "2") : List.of("-c", "4"));
        Child server = app.server(flags.toArray(String[]::new));
        place.await("it is seen", () -> place.number("SCARD", "processes") == 1);
        return server;
    }

    private static void hold(Workplace place, Releases app, int release, int jobs, String gate) {
        long before = app.count("start", release);
        place.pushJobs(jobs, gate, "CodeJob", "[\"" + gate + "\"]");
        place.await(gate + " run", () -> app.count("start", release) == before + jobs);
    }

    private static void assertRunOnce(Workplace place, int jobs) {
        assertThat(place.ledger().byJid("start")).hasSize(jobs);
        assertThat(place.ledger().byJid("start").values()).containsOnly(1L);
        assertThat(place.ledger().byJid("end").values()).hasSize(jobs).containsOnly(1L);
    }

    @Tag("stack")
    @EachOf({"mri", "fork"})
    void runsEndOnTheCodeThatTheyBeganOn(String runner) {
        try (Workplace place = new Workplace(folder)) {
            Releases app = new Releases(place, "");
            Child server = server(place, app, runner);
            hold(place, app, 1, 2, "one");

            app.release("");
            assertThat(Releases.restart(place, 0).log())
                    .contains("generation 2 is ready and takes the jobs")
                    .contains("2 jobs of the old code go on until their end");
            place.pushJobs(20, "second", "CodeJob", "[]");
            place.await("new code runs them", () -> app.count("end", 2) == 20);
            hold(place, app, 2, 1, "two");

            app.release("");
            assertThat(Releases.restart(place, 0).log()).contains("generation 3 is ready");
            place.pushJobs(20, "third", "CodeJob", "[]");
            place.await("newer code runs them", () -> app.count("end", 3) == 20);
            assertThat(generations(place, server)).contains("1", "2", "3");
            place.open("one");
            server.awaitLog("restart: generation 1 has ended");
            place.open("two");
            server.awaitLog("restart: generation 2 has ended");

            assertThat(app.count("end", 1)).isEqualTo(2);
            assertThat(app.count("end", 2)).isEqualTo(21);
            assertRunOnce(place, 43);
            assertThat(generations(place, server)).containsOnly("3");
            place.await("all are settled", () -> place.isSettledBy(server));
            server.signal("TERM");
            assertThat(server.awaitExit()).as(server::log).isZero();
            assertThat(server.log()).doesNotContain("defect", "is started again");
        }
    }

    private static List<String> generations(Workplace place, Child server) {
        String id = Workplace.text(place.strings("SMEMBERS", "processes").getFirst());
        Child show = place.mawashi(Map.of(), "processes", "show", id);
        assertThat(show.awaitExit()).as(show::log).isZero();
        String children = show.log().substring(show.log().indexOf("\nchild "));
        return LISTED.matcher(children).results().map(found -> found.group(2)).toList();
    }

    @Tag("stack")
    @Test
    void codeThatDoesNotBootChangesNothing() {
        try (Workplace place = new Workplace(folder)) {
            Releases app = new Releases(place, "");
            Child server = server(place, app, "mri");
            hold(place, app, 1, 1, "one");

            app.release("raise \"no such thing\"");
            app.config("time_limit: 600\n");
            assertThat(Releases.restart(place, 1).log())
                    .contains("generation 2 failed, generation 1 goes on", "no such thing");
            app.release("Sidekiq.configure_server { |c| c.on(:startup) { raise \"not now\" } }");
            assertThat(Releases.restart(place, 1).log())
                    .contains("ended before it could run jobs", "not now");
            app.release(
                    "Sidekiq.configure_server { |c| c.respond_to?(:queues=) ?"
                            + " c.queues = %w[other] : c.options[:queues] = %w[other] }");
            assertThat(Releases.restart(place, 1).log()).contains("wants other queues");
            place.pushJobs(5, "still", "CodeJob", "[]");
            place.await("old code runs them", () -> app.count("end", 1) == 5);

            app.release("");
            assertThat(Releases.restart(place, 0).log()).contains("generation 2 is ready");
            place.open("one");
            server.awaitLog("restart: generation 1 has ended");
            assertThat(server.log()).doesNotContain("time_limit", "at the next start");
            assertRunOnce(place, 6);
        }
    }

    /// Long: the boot has to hang for the whole of its limit.
    @Tag("long")
    @Test
    void codeThatHangsIsEndedWithAllThatItHasStarted() {
        try (Workplace place = new Workplace(folder)) {
            Releases app = new Releases(place, "");
            // Long enough for the boot to come to the code that hangs, beside other tests.
            app.config("restart: { boot_limit: 15 }\n");
            Child server = server(place, app, "mri");
            app.release("Ledger.note(\"hangs\", Process.spawn(\"sleep 1000\")); sleep");

            assertThat(Releases.restart(place, 1).log())
                    .contains("could not run jobs within 15 s (restart.boot_limit");

            long left = Long.parseLong(place.ledger().lines("hangs").getFirst().subject());
            place.await(
                    "what it started is gone",
                    () -> ProcessHandle.of(left).filter(ProcessHandle::isAlive).isEmpty());
            place.pushJobs(5, "still", "CodeJob", "[]");
            place.await("old code runs them", () -> app.count("end", 1) == 5);
            assertThat(server.isAlive()).isTrue();
        }
    }

    /// Long: two generations; `runsEndOnTheCodeThatTheyBeganOn` is the quick one.
    @Tag("long")
    @Tag("stack")
    @Test
    void aStopEndsTheRunsOfAllGenerations() {
        try (Workplace place = new Workplace(folder)) {
            Releases app = new Releases(place, "");
            Child server = server(place, app, "mri");
            hold(place, app, 1, 2, "one");
            app.release("");
            Releases.restart(place, 0);
            hold(place, app, 2, 2, "two");
            app.release("Ledger.note(\"boots\", \"third\"); sleep");
            Releases.restart(place, 0, "--no-wait");
            place.await("it boots", () -> place.ledger().lines("boots").size() == 1);

            server.signal("TERM");
            assertThat(server.awaitExit()).as(server::log).isZero();

            assertThat(place.queued()).hasSize(4);
            assertThat(place.inHandsOf(server)).isEmpty();
            long boots = place.ledger().lines("boots").getFirst().pid();
            place.await(
                    "what boots is gone",
                    () -> ProcessHandle.of(boots).filter(ProcessHandle::isAlive).isEmpty());
        }
    }

    /// Long: four restarts one after the other.
    @Tag("long")
    @Test
    void anEndedGenerationLeavesNothingBehind() {
        try (Workplace place = new Workplace(folder)) {
            Releases app = new Releases(place, "");
            Child server = server(place, app, "mri");
            Releases.restart(place, 0);
            server.awaitLog("restart: generation 1 has ended");
            awaitHeld(place, app, server, FILES_MAX);
            long open = app.held(server).getLast();
            for (int i = 2; i <= 4; i++) {
                Releases.restart(place, 0);
                server.awaitLog("restart: generation " + i + " has ended");
            }

            // Less than one file per restart: the first look for alarms opens a connection.
            awaitHeld(place, app, server, open + 2);
        }
    }

    /// Waits until the server has one folder of sockets, one note of a process, and so many open
    /// files at most.
    private static void awaitHeld(Workplace place, Releases app, Child server, long openMax) {
        try {
            place.await(
                    "one folder, one note, few open files",
                    () -> {
                        List<Long> held = app.held(server);
                        return held.size() == 3
                                && held.subList(0, 2).equals(List.of(1L, 1L))
                                && held.getLast() <= openMax;
                    });
        } catch (AssertionError late) {
            throw new AssertionError(app.held(server) + " of " + app.files() + late.getMessage());
        }
    }

    /// Long: `codeThatDoesNotBootChangesNothing` is the quick one.
    @Tag("long")
    @Test
    void newCodeWhoseParentDiesWhileItBootsChangesNothing() {
        try (Workplace place = new Workplace(folder)) {
            Releases app = new Releases(place, "");
            Child server = server(place, app, "mri");
            app.release("Ledger.note(\"boots\", \"second\"); sleep");
            Releases.restart(place, 0, "--no-wait");
            place.await("it boots", () -> place.ledger().lines("boots").size() == 1);

            long boots = place.ledger().lines("boots").getFirst().pid();
            ProcessHandle.of(boots).orElseThrow().destroyForcibly();

            server.awaitLog("restart: generation 2 failed, generation 1 goes on");
            place.pushJobs(5, "still", "CodeJob", "[]");
            place.await("old code runs them", () -> app.count("end", 1) == 5);
        }
    }

    /// Long: a server of its own, beside that of the restart whose runs have no limit.
    @Tag("long")
    @Tag("stack")
    @ParameterizedTest
    @ValueSource(strings = {"", RESCUES, RAISES})
    void runsOverTheTimeOfOldCodeRunAgainOnNewCode(String more) {
        try (Workplace place = new Workplace(folder)) {
            Releases app = new Releases(place, more);
            app.config("restart: { old_limit: 0.5, memory: 1 }\n");
            Child server = server(place, app, "mri");
            hold(place, app, 1, 2, "one");
            app.release("");
            Releases.restart(place, 0);

            place.await("they run again", () -> app.count("start", 2) == 2);
            server.awaitLog("restart: generation 1 has ended");
            place.open("one");
            place.await("they end", () -> app.count("end", 2) == 2);
            assertThat(place.ledger().lines("start")).hasSize(4);
            assertThat(place.ledger().lines("end")).hasSize(2);
            assertThat(place.number("ZCARD", "retry")).isZero();
        }
    }

    /// Long: waits for a parent to report a death.
    @Tag("long")
    @Test
    void aJobWhoseOldChildDiesRunsAgainOnNewCode() {
        try (Workplace place = new Workplace(folder)) {
            Releases app = new Releases(place, "");
            Child server = server(place, app, "mri");
            hold(place, app, 1, 1, "one");
            app.release("");
            Releases.restart(place, 0);

            long old = place.ledger().lines("start").getFirst().pid();
            ProcessHandle.of(old).orElseThrow().destroyForcibly();
            place.await("it is to run again", () -> place.number("ZCARD", "retry") == 1);
            Comparison.makeRetriesDue(place);
            place.await("it runs again", () -> app.count("start", 2) == 1);
            place.open("one");
            place.await("it ends", () -> app.count("end", 2) == 1);
            server.awaitLog("restart: generation 1 has ended");
            assertThat(place.ledger().lines("start")).hasSize(2);
        }
    }

    /// Long: `FreeMemoryTest` and `codeThatDoesNotBootChangesNothing` are the quick ones.
    @Tag("long")
    @Test
    void withTooLittleMemoryNothingIsBegun() {
        try (Workplace place = new Workplace(folder)) {
            Releases app = new Releases(place, "");
            app.config("restart: { memory: 1_000_000 }\n");
            Child server = server(place, app, "mri");

            assertThat(Releases.restart(place, 1).log())
                    .contains("MB of memory are free, restart.memory")
                    .contains("wants 1000000");

            assertThat(server.log()).doesNotContain("restart: generation");
        }
    }

    /// Long: two servers and seven commands; `RestartCommandIT` has most of these lines in this
    /// process.
    @Tag("long")
    @Test
    void whatCannotBeRestartedIsToldInOneLine() {
        try (Workplace place = new Workplace(folder)) {
            assertThat(Releases.restart(place, 1).log()).contains("there is no process");
            Releases app = new Releases(place, "");
            Child server = server(place, app, "mri");
            assertThat(Releases.restart(place, 1, "nobody").log())
                    .contains("no live process nobody");
            Child other = place.runOnMri(Workplace.NO_GEMS).awaitLog("working on");
            place.await("both are seen", () -> place.number("SCARD", "processes") == 2);
            assertThat(Releases.restart(place, 2).log()).contains("which of 2 processes?");
            other.signal("TERM");
            assertThat(other.awaitExit()).isZero();

            app.release("Ledger.note(\"boots\", \"second\"); Ledger.pass(\"boot\")");
            Releases.restart(place, 0, "--no-wait");
            place.await("it boots", () -> place.ledger().lines("boots").size() == 1);
            assertThat(Releases.restart(place, 1).log()).contains("a restart is under way");
            server.signal("TSTP");
            server.awaitLog("restart: generation 2 failed");
            assertThat(Releases.restart(place, 1).log()).contains("it is quiet or stopping");
            assertThat(server.log()).contains("the process is quiet or stopping");
        }
    }
}
