package dev.mawashi.faults;

import dev.mawashi.acceptance.Child;
import dev.mawashi.acceptance.Ledger;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/// MRI processes below a server that are killed or stand still. Sidekiq has none.
final class KilledChildren {
    private KilledChildren() {}

    static List<Scenario> all() {
        return List.of(
                Scenario.of("F17", "kill -9 of a child at work", KilledChildren::killed)
                        .only("mri")
                        .quick(),
                Scenario.of("F17", "kill -9 of the process of one job", KilledChildren::killed)
                        .only("fork"),
                Scenario.of(
                                "F17",
                                "kill -9 of the parent of all children",
                                KilledChildren::orphaned)
                        .only("mri"),
                Scenario.of("F17", "kill -9 of the parent of all forks", KilledChildren::orphaned)
                        .only("fork"),
                Scenario.of("F20", "SIGSTOP of a child for 5 s, then CONT", KilledChildren::asleep)
                        .only("mri"));
    }

    /// The jobs that run in it fail, with its death as the reason, and are retried; all others go
    /// on.
    private static Promise killed(Rig rig) {
        rig.serve();
        rig.pushGated(Rig.SLOTS);
        rig.awaitBegun(Rig.SLOTS);
        Ledger.Line first = rig.ledger().lines("begin").getFirst();
        Set<String> inIt =
                rig.ledger().lines("begin").stream()
                        .filter(line -> line.pid() == first.pid())
                        .map(Ledger.Line::subject)
                        .collect(Collectors.toSet());
        rig.fault(Set.of());
        Signals.send(first.pid(), "KILL");
        rig.repaired();
        rig.push(200, 5);
        rig.awaitEnded(100);
        rig.openGate();
        rig.drain();
        return Promise.duplicates(0).failures(inIt.size());
    }

    private static Promise orphaned(Rig rig) {
        Child server = rig.serve();
        rig.pushGated(Rig.SLOTS);
        rig.awaitBegun(Rig.SLOTS);
        long parent =
                ProcessHandle.of(server.pid())
                        .orElseThrow()
                        .children()
                        .findFirst()
                        .orElseThrow()
                        .pid();
        Signals.send(parent, "KILL");
        rig.repaired();
        rig.openGate();
        if (!server.isAlive()) {
            rig.serve();
        }
        rig.push(200, 5);
        rig.drain();
        return Promise.duplicates(Rig.SLOTS).failures(2 * Rig.SLOTS);
    }

    private static Promise asleep(Rig rig) {
        rig.serve();
        rig.push(2_000, 5);
        rig.awaitEnded(500);
        long child = rig.ledger().lines("begin").getFirst().pid();
        Signals.send(child, "STOP");
        rig.pause(Duration.ofSeconds(5));
        Signals.send(child, "CONT");
        rig.repaired();
        rig.drain();
        return Promise.duplicates(0);
    }
}
