package dev.mawashi.faults;

import dev.mawashi.acceptance.Child;
import java.util.List;

/// Servers that share a name, lack what they need, or have a turn that they do not take.
final class OddServers {
    /// Each process is number 1 of a world of its own, as in a container.
    private static final List<String> CONTAINER =
            List.of("unshare", "--user", "--map-root-user", "--pid", "--fork", "--kill-child");

    private static final int FIRST_PID = 1;

    private static final List<String> FEW_FILES =
            List.of("sh", "-c", "ulimit -n 256; exec \"$@\"", "sh");

    private static final List<String> LITTLE_DIRECT_MEMORY =
            List.of("env", "JAVA_TOOL_OPTIONS=-XX:MaxDirectMemorySize=32m");

    private OddServers() {}

    static List<Scenario> all() {
        return List.of(
                Scenario.of(
                                "F14",
                                "kill -9, and one of the same host name and pid in its place",
                                OddServers::sameName)
                        .with("unshare"),
                Scenario.of("F83", "no direct memory for 3 s", OddServers::withoutDirectMemory)
                        .only("jruby"),
                Scenario.of("F92", "256 open files", OddServers::fewFiles),
                Scenario.of(
                        "F97",
                        "who has the turn at the schedule stands still, and comes back",
                        OddServers::turn));
    }

    /// It must not take the old one's lease for its own.
    private static Promise sameName(Rig rig) {
        Child victim = rig.serveUnder(CONTAINER);
        rig.pushGated(Rig.SLOTS);
        rig.awaitBegun(Rig.SLOTS);
        rig.kill(victim, FIRST_PID);
        rig.serveUnder(CONTAINER);
        rig.openGate();
        rig.push(200, 5);
        rig.drain();
        return Promise.duplicatesOfRunning().recoveredWithin(KilledServers.recovery(rig));
    }

    /// The JVM does not end for want of it, but each thread that reads or writes may fail.
    private static Promise withoutDirectMemory(Rig rig) {
        Child server = rig.serveUnder(LITTLE_DIRECT_MEMORY);
        rig.push(1_000, 5);
        rig.pushArgs(1, "[1,\"direct\"]");
        rig.awaitEnded(500);
        rig.push(1_000, 5);
        rig.await("no memory is left", () -> !rig.ledger().lines("full").isEmpty());
        rig.push(1_000, 5);
        rig.await("it is given back", () -> !rig.ledger().lines("free").isEmpty());
        rig.repaired();
        rig.drain();
        if (!server.isAlive()) {
            throw new AssertionError("the server has ended");
        }
        return Promise.duplicates(0);
    }

    private static Promise fewFiles(Rig rig) {
        Child server = rig.serveUnder(FEW_FILES);
        rig.push(2_000, 5);
        rig.drain();
        if (!server.isAlive()) {
            throw new AssertionError("the server has ended");
        }
        return Promise.duplicates(0);
    }

    /// Another takes its turn. When both think that it is theirs, neither may move a job twice.
    private static Promise turn(Rig rig) {
        Child one = rig.serve();
        Child other = rig.serve();
        for (Child sleeper : List.of(one, other)) {
            long ended = rig.ended();
            sleeper.signal("STOP");
            rig.pushLater(500, 1);
            rig.awaitEnded(ended + 500);
            sleeper.signal("CONT");
            rig.pushLater(500, 0.1);
            rig.repaired();
            rig.awaitEnded(ended + 1_000);
        }
        rig.drain();
        return Promise.duplicates(0);
    }
}
