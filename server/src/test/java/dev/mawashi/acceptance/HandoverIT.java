package dev.mawashi.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.redis.HeldPort;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/// `mawashi restart` of servers whose code is in their own process: another process takes over.
final class HandoverIT {
    @TempDir Path folder;

    @RegisterExtension final Handovers at = new Handovers(() -> folder);

    @Test
    void runsEndOnTheCodeThatTheyBeganOn() {
        Child server = secondGeneration();

        at.place.open("two");
        at.place.await("they end", () -> at.app.count("end", 2) == 23);
        end(server, 25);
    }

    /// A server whose old code has ended; three jobs of the new wait at the gate `two`.
    private Child secondGeneration() {
        Child server = at.server("-c", "4");
        at.hold(1, 2, "one");

        at.app.release("");
        assertThat(Releases.restart(at.place, 0).log())
                .contains("generation 2 is ready and takes the jobs")
                .contains("2 jobs of the old code go on until their end");
        at.run(2, 20, "second");
        at.place.pushJobs(3, "two", "CodeJob", "[\"two\"]");
        at.place.await("two slots are left", () -> at.app.count("start", 2) == 22);

        at.place.open("one");
        at.place.await("a slot is free", () -> at.app.count("start", 2) == 23);
        at.awaitWaiter(server);
        return server;
    }

    private void end(Child server, int jobs) {
        server.signal("TERM");
        assertThat(server.awaitExit()).as(server::log).isZero();
        at.assertRunOnce(jobs);
        assertThat(at.place.queued()).isEmpty();
        assertThat(server.log()).doesNotContain("defect");
        assertThat(at.place.number("SCARD", "processes")).isZero();
    }

    /// Long: three boots one after the other.
    @Tag("long")
    @Test
    void soDoRunsOfAThirdGeneration() {
        Child server = secondGeneration();

        at.app.release("");
        assertThat(Releases.restart(at.place, 0).log()).contains("generation 3 is ready");
        at.run(3, 20, "third");
        at.place.open("two");
        at.place.await("the last ones end", () -> at.app.count("end", 2) == 23);
        server.awaitLog("restart: generation 2 has ended");
        end(server, 45);
    }

    /// Long: several boots one after the other.
    @Tag("long")
    @Test
    void codeThatDoesNotBootChangesNothing() {
        Child server = at.server("-c", "2");
        at.hold(1, 1, "one");

        at.app.release("raise \"no such thing\"");
        assertThat(Releases.restart(at.place, 1).log())
                .contains("generation 2 failed, generation 1 goes on", "no such thing");
        at.app.release("Sidekiq.configure_server { |c| c.on(:startup) { raise \"not now\" } }");
        assertThat(Releases.restart(at.place, 1).log()).contains("not now");
        at.app.release("Process.kill(:KILL, Process.pid)");
        assertThat(Releases.restart(at.place, 1).log()).contains("ended with status 137 before");
        at.app.release("");
        at.app.config("restart: { boot_limt: 5 }\n");
        assertThat(Releases.restart(at.place, 1).log()).contains("boot_limt");
        at.run(1, 5, "still");

        at.renew();
        at.place.open("one");
        server.awaitLog("restart: generation 1 has ended");
        at.run(6, 5, "new");
        at.assertRunOnce(11);
    }

    /// Long: the boot has to hang for the whole of its limit.
    @Tag("long")
    @Test
    void codeThatHangsIsEndedWithAllThatItHasStarted() {
        // Long enough for the boot to come to the code that hangs, beside other tests.
        at.app.config("restart: { boot_limit: 40 }\n");
        Child server = at.server("-c", "2");
        at.app.release("Ledger.note(\"hangs\", Process.spawn(\"sleep 1000\")); sleep");

        assertThat(Releases.restart(at.place, 1).log())
                .contains("could not run jobs within 40 s (restart.boot_limit");

        long left = Long.parseLong(at.place.ledger().lines("hangs").getFirst().subject());
        at.place.await("what it started is gone", () -> !Handovers.isAlive(left));
        at.run(1, 5, "still");
        assertThat(server.isAlive()).isTrue();
    }

    /// Long: a capsule of one slot runs jobs of three generations, never two at once.
    @Tag("long")
    @Test
    void jobsOfACapsuleWithOneSlotNeverRunAtOnce() {
        at.server("-c", "1");
        at.hold(1, 1, "one");
        at.renew();
        at.place.pushJobs(1, "two", "CodeJob", "[\"two\"]");
        at.renew();
        at.place.pushJobs(10, "three", "CodeJob", "[]");
        at.place.await("it waits for the slot", () -> at.place.queued().size() == 11);
        assertThat(at.place.ledger().lines("start")).hasSize(1);

        at.place.open("one");
        at.place.await("the next one has it", () -> at.app.count("start", 3) == 1);
        assertThat(at.place.ledger().lines("start")).hasSize(2);
        at.place.open("two");
        at.place.await("all ran", () -> at.app.count("end", 3) == 11);
        at.assertRunOnce(12);
    }

    /// Long: a server of its own.
    @Tag("long")
    @Test
    void aStopEndsTheRunsOfBothAndSignalsReachBoth() {
        Child server = at.server("-c", "4");
        at.hold(1, 2, "one");
        at.renew();
        at.hold(2, 2, "two");

        server.signal("TTIN");
        server.awaitLog("CodeJob one0", "CodeJob two0");
        server.signal("TERM");
        assertThat(server.awaitExit()).as(server::log).isZero();

        assertThat(at.place.queued()).hasSize(4);
        assertThat(at.place.number("SCARD", "processes")).isZero();
    }

    /// Long: two runners, so two boots of the app per server.
    @Tag("long")
    @Test
    void aServerOfBothRunnersGoesAsAWhole() {
        at.app.config("queues: { low: { runner: mri } }\n");
        Child server = at.server("-c", "2", "-q", "default", "-q", "low");
        at.place.await("it is there", () -> server.isAlive());
        at.pushTo("low", "lows", "one");
        at.hold(1, 1, "one");
        at.place.await("both run", () -> at.app.count("start", 1) == 2);
        at.renewAs("queues: { low: { runner: mri } }\n");
        at.pushTo("low", "later", "two");
        at.hold(2, 1, "two");
        at.place.await("both run anew", () -> at.app.count("start", 2) == 2);

        at.place.open("one");
        server.awaitLog("restart: generation 1 has ended");
        at.place.open("two");
        at.place.await("all end", () -> at.app.count("end", 2) == 2);
        at.assertRunOnce(4);
    }

    /// Long: two servers.
    @Tag("long")
    @Test
    void aRollRestartsEachServerOnce() {
        at.server("-c", "2");
        at.app.serverOf("web-2", "--runner", "jruby", "-c", "2");
        at.place.await("both are seen", () -> at.place.number("SCARD", "processes") == 2);
        at.app.release("");

        String log = Releases.restart(at.place, 0, "--all").log();

        assertThat(log.lines().filter(line -> line.endsWith("generation 2 boots"))).hasSize(2);
        assertThat(log).contains("2 restarted").doesNotContain("generation 3");
    }

    /// Long: a server of its own.
    @Tag("long")
    @Test
    void withTooLittleMemoryNothingIsBegun() {
        at.app.config("restart: { memory: 1_000_000 }\n");
        Child server = at.server("-c", "1");

        assertThat(Releases.restart(at.place, 1).log()).contains("wants 1000000");

        assertThat(server.log()).doesNotContain("restart: generation");
    }

    /// Long: a job over the time of old code runs again on new code.
    @Tag("long")
    @Test
    void runsOverTheTimeOfOldCodeRunAgainOnNewCode() {
        at.app.config("restart: { old_limit: 0.5 }\n");
        at.server("-c", "2");
        at.hold(1, 1, "one");
        at.renew();

        at.place.await("it runs again", () -> at.app.count("start", 2) == 1);
        at.place.open("one");
        at.place.await("it ends", () -> at.app.count("end", 2) == 1);
        assertThat(at.place.number("ZCARD", "retry")).isZero();
    }

    /// Long: a server of its own, and a Redis that takes nothing for a while.
    @Tag("long")
    @Test
    void outcomesThatRedisDoesNotTakeAreWaitedFor() {
        Child server = at.server("-c", "2");
        at.takeOver();

        at.place.bytes("CLIENT", "PAUSE", "600000", "WRITE");
        at.place.open("one");
        server.awaitLog("their outcomes wait for Redis");
        at.place.bytes("CLIENT", "UNPAUSE");

        server.awaitLog("restart: generation 1 has ended");
        at.place.await("it is settled", () -> at.place.inHandsOf(server).isEmpty());
        at.assertRunOnce(2);
    }

    /// Long: the probes' port goes from one process to the other.
    @Tag("long")
    @Test
    void thePortsAreTheNewServers() throws Exception {
        try (HttpClient http = HttpClient.newHttpClient();
                HeldPort held = new HeldPort()) {
            String port = "127.0.0.1:" + held.number();
            Child server = at.server("-c", "2", "--health", port);
            at.takeOver();

            String figures =
                    http.send(
                                    HttpRequest.newBuilder(
                                                    URI.create("http://" + port + "/metrics"))
                                            .build(),
                                    HttpResponse.BodyHandlers.ofString())
                            .body();
            assertThat(figures)
                    .containsPattern("mawashi_generation 2")
                    .containsPattern("mawashi_old_code_busy_slots 1");
            assertThat(server.isAlive()).isTrue();
        }
    }
}
