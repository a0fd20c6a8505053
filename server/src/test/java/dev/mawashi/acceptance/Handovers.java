package dev.mawashi.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/// A server in releases whose code is in its own process, and what tests of its restarts share.
final class Handovers implements BeforeEachCallback, AfterEachCallback {
    private final Supplier<Path> folder;
    private final List<Long> pids = new ArrayList<>();
    Workplace place;
    Releases app;

    /// @param folder of a test
    Handovers(Supplier<Path> folder) {
        this.folder = folder;
    }

    @Override
    public void beforeEach(ExtensionContext test) {
        place = new Workplace(folder.get());
        app = new Releases(place, "");
    }

    /// Starts a server on JRuby and waits until commands can ask it.
    Child server(String... flags) {
        return serverWith(Map.of(), flags);
    }

    /// The same with more variables.
    Child serverWith(Map<String, String> environment, String... flags) {
        List<String> all = new ArrayList<>(List.of("--runner", "jruby", "-t", "1"));
        all.addAll(List.of(flags));
        Child server = app.serverWith(environment, all.toArray(String[]::new));
        pids.add(server.pid());
        place.await("it is seen", () -> place.number("SCARD", "processes") == 1);
        return server;
    }

    /// Has so many jobs run that wait at a gate.
    void hold(int release, int jobs, String gate) {
        long before = app.count("start", release);
        place.pushJobs(jobs, gate, "CodeJob", "[\"" + gate + "\"]");
        place.await(gate + " run", () -> app.count("start", release) == before + jobs);
    }

    /// Has short jobs run on this release.
    ///
    /// @return the process that ran them
    long run(int release, int jobs, String prefix) {
        long before = app.count("end", release);
        place.pushJobs(jobs, prefix, "CodeJob", "[]");
        place.await(prefix + " ran", () -> app.count("end", release) == before + jobs);
        long pid =
                place.ledger().lines("end").stream()
                        .filter(line -> line.subject().startsWith(prefix))
                        .findFirst()
                        .orElseThrow()
                        .pid();
        pids.add(pid);
        return pid;
    }

    /// Makes a release and has the server take it.
    void renew() {
        app.release("");
        Releases.restart(place, 0);
    }

    /// Has the first release run a job that waits at the gate `one`, and the second take over.
    ///
    /// @return the process of the second
    long takeOver() {
        hold(1, 1, "one");
        renew();
        return run(2, 1, "second");
    }

    /// The same as `renew` with a `config/mawashi.yml`.
    void renewAs(String yaml) {
        app.release("");
        app.config(yaml);
        Releases.restart(place, 0);
    }

    /// Puts a job that waits at a gate into another queue.
    void pushTo(String queue, String jid, String gate) {
        String payload = "{\"class\":\"CodeJob\",\"args\":[\"%s\"],\"jid\":\"%s\"}";
        place.push(queue, List.of(payload.formatted(gate, jid).getBytes(UTF_8)));
    }

    static void kill(long pid) {
        ProcessHandle.of(pid).orElseThrow().destroyForcibly();
    }

    static boolean isAlive(long pid) {
        return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent();
    }

    void awaitWaiter(Child server) {
        place.await("it waits", () -> isWaiter(server.pid()));
    }

    private static boolean isWaiter(long pid) {
        try {
            return Files.readString(Path.of("/proc/" + pid + "/cmdline")).contains(".Waiter");
        } catch (IOException _) {
            return false;
        }
    }

    void assertRunOnce(int jobs) {
        assertThat(place.ledger().byJid("start")).hasSize(jobs);
        assertThat(place.ledger().byJid("start").values()).containsOnly(1L);
        assertThat(place.ledger().byJid("end").values()).hasSize(jobs).containsOnly(1L);
    }

    @Override
    public void afterEach(ExtensionContext test) {
        pids.stream()
                .flatMap(pid -> ProcessHandle.of(pid).stream())
                .forEach(ProcessHandle::destroyForcibly);
        place.close();
    }
}
