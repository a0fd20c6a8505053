package dev.mawashi.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/// `kill -9` of each process of a restart whose new code is in another process.
///
/// Long: each test boots two or three servers. `HandoverIT` has the quick one for restarts, and
/// recovery of the jobs of dead processes has others.
@Tag("long")
final class HandoverDeathsIT {
    private static final int KILLED = 137;
    private static final String BOOTS = "Ledger.note(\"boots\", \"it\"); Ledger.pass(\"boot\")";

    @TempDir Path folder;

    @RegisterExtension final Handovers at = new Handovers(() -> folder);

    private long boots() {
        at.app.release(BOOTS);
        Releases.restart(at.place, 0, "--no-wait");
        at.place.await("it boots", () -> at.place.ledger().lines("boots").size() == 1);
        return at.place.ledger().lines("boots").getFirst().pid();
    }

    @Test
    void theNewOneBeforeItClaims() {
        Child server = at.server("-c", "2");
        at.hold(1, 1, "one");
        long next = boots();

        Handovers.kill(next);

        server.awaitLog("restart: generation 2 failed, generation 1 goes on", "status 137");
        at.run(1, 5, "still");
        at.place.open("one");
        at.place.await("all end", () -> at.app.count("end", 1) == 6);
        at.assertRunOnce(6);
    }

    @Test
    void theOldOneBeforeTheNewOneClaims() {
        Child server = at.server("-c", "2");
        long next = boots();

        server.kill();

        at.place.await("the new one ends", () -> !Handovers.isAlive(next));
        assertThat(server.log()).contains("has ended: ending, no job was claimed");
        assertThat(at.place.ledger().lines("start")).isEmpty();
    }

    @Test
    void theNewOneWhileTheOldOneDrains() {
        Child server = at.server("-c", "2");
        long next = at.takeOver();

        Handovers.kill(next);

        assertThat(server.awaitExit()).as(server::log).isEqualTo(KILLED);
        assertThat(server.log()).contains("the new process has ended: stopping");
        assertThat(at.place.queued()).containsExactly("one0");
        assertThat(at.place.inHandsOf(server)).isEmpty();
    }

    @Test
    void theOldOneWhileItDrains() {
        Child server = at.server("-c", "2");
        long next = at.takeOver();

        server.kill();

        at.place.await("the new one stops", () -> !Handovers.isAlive(next));
        assertThat(server.log()).contains("which the supervisor knows, has ended: stopping");
        at.app.server("--runner", "jruby", "-c", "2");
        at.place.await("the job is recovered", () -> at.app.count("start", 2) == 2);
        at.place.open("one");
        at.place.await("it ends", () -> at.app.count("end", 2) == 2);
    }

    @Test
    void theWaiter() {
        Child server = at.server("-c", "2");
        at.renew();
        long next = at.run(2, 1, "second");
        at.awaitWaiter(server);

        server.kill();

        at.place.await("the new one stops", () -> !Handovers.isAlive(next));
        assertThat(at.place.number("SCARD", "processes")).isZero();
    }

    /// Of three, the one in the middle: its parent is a waiter, which goes on with the last.
    @Test
    void anOldOneUnderAWaiter() {
        Child server = at.server("-c", "2");
        at.renew();
        at.awaitWaiter(server);
        at.hold(2, 1, "two");
        at.renew();
        long middle = at.place.ledger().lines("start").getLast().pid();
        long last = at.run(3, 1, "third");

        Handovers.kill(middle);

        at.place.await("the job is recovered", () -> at.app.count("start", 3) == 2);
        at.place.open("two");
        at.place.await("it ends", () -> at.app.count("end", 3) == 2);
        assertThat(server.isAlive()).isTrue();
        Handovers.kill(last);
        assertThat(server.awaitExit()).isEqualTo(KILLED);
    }

    @Test
    void aServerUnderAWaiterEndsItWithItsStatus() throws Exception {
        Child server = at.server("-c", "2");
        at.renew();
        at.awaitWaiter(server);
        long next = at.run(2, 1, "second");

        new ProcessBuilder("kill", "-TERM", "" + next).start().waitFor(9, TimeUnit.SECONDS);

        assertThat(server.awaitExit()).as(server::log).isZero();
    }
}
