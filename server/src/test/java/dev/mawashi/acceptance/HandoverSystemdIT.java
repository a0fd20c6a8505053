package dev.mawashi.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/// Restarts under systemd of servers whose code is in their own process: the new process becomes
/// the service's main one. A socket stands in for systemd.
///
/// Long: each test boots several servers; `SystemdTest` has the quick one for the socket.
@Tag("long")
final class HandoverSystemdIT {
    @TempDir Path folder;

    @RegisterExtension final Handovers at = new Handovers(() -> folder);

    private Child server(Child systemd) {
        assertThat(systemd.isAlive()).isTrue();
        return at.serverWith(
                Map.of("NOTIFY_SOCKET", folder.resolve("notify").toString()), "-c", "2");
    }

    @Test
    void theOldOneEndsWithItsLastJob() {
        Child systemd = at.place.script("systemd.rb").awaitLog("listening");
        Child server = server(systemd);
        long next = at.takeOver();
        systemd.awaitLog("MAINPID=" + next + "\n");
        at.hold(2, 1, "two");

        at.place.open("one");
        assertThat(server.awaitExit()).as(server::log).isZero();
        assertThat(systemd.log()).doesNotContain("STOPPING");
        at.renew();
        long last = at.run(3, 1, "third");
        systemd.awaitLog("MAINPID=" + last + "\n");
        at.place.open("two");
        at.place.await("the one before ends", () -> !Handovers.isAlive(next));
        assertThat(Handovers.isAlive(last)).isTrue();
        at.assertRunOnce(4);
    }

    @Test
    void theDeathOfTheOldOneIsNone() {
        Child systemd = at.place.script("systemd.rb").awaitLog("listening");
        Child server = server(systemd);
        long next = at.takeOver();

        server.kill();

        at.place.await("its job is recovered", () -> at.app.count("start", 2) == 2);
        at.place.open("one");
        at.place.await("it ends", () -> at.app.count("end", 2) == 2);
        assertThat(Handovers.isAlive(next)).isTrue();
    }

    @Test
    void aStopOfTheNewOneStopsBoth() throws Exception {
        Child systemd = at.place.script("systemd.rb").awaitLog("listening");
        Child server = server(systemd);
        long next = at.takeOver();

        new ProcessBuilder("kill", "-TERM", "" + next).start().waitFor();

        assertThat(server.awaitExit()).as(server::log).isZero();
        at.place.await("both end", () -> !Handovers.isAlive(next));
        assertThat(at.place.queued()).containsExactly("one0");
    }
}
