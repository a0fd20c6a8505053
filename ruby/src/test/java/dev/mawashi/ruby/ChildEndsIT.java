package dev.mawashi.ruby;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.Eventually;
import dev.mawashi.broker.Scheduling;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

/// However a process ends that runs jobs, those of them that did not end it run again, burn no try,
/// and nobody is told that they failed.
final class ChildEndsIT {
    /// In `ends.rb`.
    static final List<String> WAYS =
            List.of(
                    "exit in a thread",
                    "exit well in a thread",
                    "abort in a thread",
                    "an error in a thread",
                    "an error without a message",
                    "an error in the main thread",
                    "an exit in the main thread",
                    "the end of the main thread",
                    "no memory",
                    "a stop of another",
                    "a signal's exception",
                    "a signal",
                    "a handler that exits",
                    "a handler that raises",
                    "a handler for the end that takes long",
                    "a handler for the end that ends threads",
                    "exit at once",
                    "exec",
                    "no link",
                    "SIGKILL",
                    "SIGABRT",
                    "SIGSEGV");

    /// Signals that are the server's alone, or that nobody sends to end a child.
    private static final List<String> UNHEEDED =
            List.of(
                    "HUP", "INT", "QUIT", "USR1", "USR2", "PIPE", "ALRM", "TERM", "CHLD", "CONT",
                    "TSTP", "TTIN", "TTOU", "URG", "VTALRM", "PROF", "WINCH", "IO", "PWR", "SYS");

    /// Those that differ in what Ruby does on its way out.
    static final List<String> SOME_WAYS =
            List.of(
                    "exit in a thread",
                    "an error in a thread",
                    "the end of the main thread",
                    "a handler that raises",
                    "a handler for the end that ends threads",
                    "no link",
                    "SIGKILL");

    @TempDir static Path folder;
    private static ChildrenRig threads;
    private static ChildrenRig forks;

    @BeforeAll
    static void start() throws IOException {
        threads = ChildrenRig.ends(Files.createDirectory(folder.resolve("t")), 5).start();
        forks = ChildrenRig.endsOfForkers(Files.createDirectory(folder.resolve("f")), 5).start();
    }

    @AfterAll
    static void stop() {
        threads.close();
        forks.close();
    }

    @ParameterizedTest
    @FieldSource("WAYS")
    void besideAJobThatEndsItsProcessTheOthersRunAgain(String way) {
        begin(threads, way);
        threads.push("culprit", "CulpritJob", "[\"" + way + "\"]");
        awaitEnds(threads, way);
    }

    /// Long: `ofAForkerThatTheAppEndsAllRunAgain` has the same ways, and these children end by
    /// their jobs.
    @Tag("long")
    @ParameterizedTest
    @FieldSource("SOME_WAYS")
    void inAProcessThatTheAppEndsAllRunAgain(String way) throws IOException {
        endByBlock(threads, "t", way);
    }

    @ParameterizedTest
    @FieldSource("SOME_WAYS")
    void ofAForkerThatTheAppEndsAllRunAgain(String way) throws IOException {
        endByBlock(forks, "f", way);
    }

    @ParameterizedTest
    @ValueSource(strings = {"kill", "exit", "terminate"})
    void jobsWhoseThreadsAnotherEndsRunAgain(String how) {
        begin(threads, how, List.of("ends", "waits"));
        threads.push("killer", "KillerJob", "[\"" + how + "\"]");
        awaitEnds(threads, how);
    }

    private static void endByBlock(ChildrenRig rig, String place, String way) throws IOException {
        String name = way + " by a block";
        begin(rig, name);
        Path order = Files.writeString(folder.resolve(place).resolve("way"), way);
        rig.pool().children().forEach(child -> child.fire("beat"));
        awaitEnds(rig, name);
        Files.delete(order);
    }

    @ParameterizedTest
    @ValueSource(strings = {"KILL", "ABRT", "STOP"})
    void aParentThatIsEndedTakesNoJobWithIt(String signal) throws Exception {
        String name = "SIG" + signal + " to the parent";
        begin(threads, name);
        ProcessHandle child = process(threads);
        ProcessHandle parent = child.parent().orElseThrow();
        signal(signal, parent);
        if (signal.equals("STOP")) {
            signal("KILL", child);
            signal("CONT", parent);
        }
        awaitEnds(threads, name);
    }

    @Test
    void noOtherSignalEndsAnything() throws Exception {
        String name = "none";
        begin(threads, name);
        ProcessHandle child = process(threads);
        ProcessHandle parent = child.parent().orElseThrow();
        for (String signal : UNHEEDED) {
            signal(signal, child);
            signal(signal, parent);
        }
        threads.push("after", "TellJob", "[]");
        Eventually.until("it ran", () -> told(threads, "told", "after").size() == 1);

        assertThat(threads.told("told")).contains("after " + child.pid());
        assertThat(parent.isAlive()).isTrue();
        threads.open(name);
        awaitSettled(threads, name);
        assertThat(told(threads, "began", name)).hasSize(4);
    }

    private static ProcessHandle process(ChildrenRig rig) {
        return ProcessHandle.of(rig.pool().children().iterator().next().pid()).orElseThrow();
    }

    private static void signal(String name, ProcessHandle process) throws Exception {
        Process kill = new ProcessBuilder("kill", "-" + name, "" + process.pid()).start();
        assertThat(kill.waitFor()).as(name).isZero();
    }

    /// What fails can be tried again or not, and makes much of being ended in one way or another.
    private static void begin(ChildrenRig rig, String name) {
        begin(rig, name, List.of("raises", "returns"));
    }

    private static void begin(ChildrenRig rig, String name, List<String> hows) {
        for (String retry : List.of("true", "false")) {
            for (String how : hows) {
                rig.push(
                        "q",
                        jid(name) + retry + how,
                        "InnocentJob",
                        "[\"%s\",\"%s\"]".formatted(name, how),
                        ",\"retry\":" + retry);
            }
        }
        Eventually.until("four began", () -> told(rig, "began", name).size() == 4);
    }

    private static void awaitEnds(ChildrenRig rig, String name) {
        Eventually.until("four began again", () -> told(rig, "began", name).size() == 8);
        rig.open(name);
        awaitSettled(rig, name);
    }

    private static void awaitSettled(ChildrenRig rig, String name) {
        Eventually.until("all ended", () -> rig.memory().inFlight("q").isEmpty());

        assertThat(told(rig, "told", name)).hasSize(4).doesNotHaveDuplicates();
        assertThat(rig.told("errors")).isEmpty();
        assertThat(rig.told("deaths")).isEmpty();
        assertThat(rig.memory().scheduled(Scheduling.From.RETRY)).isEmpty();
        assertThat(rig.memory().dead()).isEmpty();
    }

    /// The lines of such jobs in a file.
    private static List<String> told(ChildrenRig rig, String file, String name) {
        return rig.told(file).stream().filter(line -> line.startsWith(jid(name))).toList();
    }

    private static String jid(String name) {
        return name.replace(' ', '-') + (name.equals("after") ? "" : ":");
    }
}
