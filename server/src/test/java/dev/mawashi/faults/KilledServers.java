package dev.mawashi.faults;

import dev.mawashi.acceptance.Child;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/// Servers that are killed, stopped and replaced.
final class KilledServers {
    private KilledServers() {}

    static List<Scenario> all() {
        return List.of(
                Scenario.of("F01", "kill -9 of an idle server", KilledServers::idle).forSidekiq(),
                Scenario.of("F02", "kill -9 with every slot at work", KilledServers::atWork)
                        .forSidekiq()
                        .quick(),
                Scenario.of("F02", "kill -9 with every slot at work", KilledServers::atWork)
                        .on("mri")
                        .forSidekiq(),
                Scenario.of("F02", "kill -9 with every slot at work", KilledServers::atWork)
                        .on("fork"),
                Scenario.of("F04", "kill -9 of a random server every 2 s", KilledServers::often)
                        .forSidekiq(),
                Scenario.of("F11", "TERM, jobs longer than the timeout", KilledServers::cutShort)
                        .forSidekiq()
                        .quick(),
                Scenario.of("F13", "rolling restart by kill -9", KilledServers::rolling)
                        .forSidekiq(),
                Scenario.of(
                                "F15",
                                "kill -9 of the server above MRI children",
                                KilledServers::atWork)
                        .only("mri", "fork"),
                Scenario.of("F81", "SIGSTOP for two leases, then CONT", KilledServers::asleep)
                        .quick(),
                Scenario.of(
                                "F90",
                                "the JVM stands still for two leases, its children go on",
                                KilledServers::paused)
                        .only("mri", "fork"));
    }

    /// From a kill until what was in hand runs again.
    static Duration recovery(Rig rig) {
        Rig.Settings settings = rig.settings();
        return Duration.ofMillis((long) ((settings.lease() + settings.sweep()) * 1_000))
                .plus(settings.patience());
    }

    private static Promise idle(Rig rig) {
        Child victim = rig.serve();
        rig.serve();
        rig.kill(victim);
        rig.push(200, 5);
        rig.drain();
        return Promise.duplicates(0);
    }

    private static Promise atWork(Rig rig) throws Exception {
        Child victim = rig.serve();
        rig.pushGated(Rig.SLOTS);
        rig.awaitBegun(Rig.SLOTS);
        rig.serve();
        rig.kill(victim);
        rig.openGate();
        rig.push(200, 5);
        rig.drain();
        return Promise.duplicatesOfRunning().recoveredWithin(recovery(rig));
    }

    private static Promise often(Rig rig) {
        int kills = rig.settings().minutes() > 0 ? (int) (rig.settings().minutes() * 30) : 8;
        return Crowd.killed(rig, kills, Duration.ofSeconds(2), 5);
    }

    private static Promise cutShort(Rig rig) throws Exception {
        Child first = rig.serve("-t", "1");
        rig.pushGated(Rig.SLOTS);
        rig.awaitBegun(Rig.SLOTS);
        rig.fault(rig.inHandsOf(first));
        first.signal("TERM");
        first.awaitExit();
        rig.openGate();
        rig.serve();
        rig.drain();
        return Promise.duplicates(0);
    }

    private static Promise rolling(Rig rig) {
        Child server = rig.serve();
        for (int round = 0; round < 3; round++) {
            Child next = rig.serve();
            rig.push(600, 50);
            rig.awaitEnded(rig.ended() + 50);
            rig.kill(server);
            server = next;
        }
        rig.drain();
        return Promise.duplicatesOfRunning().recoveredWithin(recovery(rig));
    }

    /// A long collection of garbage or a debugger, seen from outside: jobs end in the children
    /// meanwhile, and nobody takes note of it until others run them too.
    private static Promise paused(Rig rig) throws Exception {
        Child sleeper = rig.serve();
        rig.pushGated(Rig.SLOTS);
        rig.awaitBegun(Rig.SLOTS);
        rig.serve();
        Set<String> inHand = rig.inHandsOf(sleeper);
        rig.fault(inHand);
        sleeper.signal("STOP");
        rig.openGate();
        rig.awaitEnded(2L * Rig.SLOTS);
        sleeper.signal("CONT");
        rig.push(200, 5);
        rig.drain();
        return Promise.duplicatesOfRunning().recoveredWithin(recovery(rig));
    }

    /// Another one takes over what it had in hand, and its own runs go on when it wakes: those
    /// overlap.
    private static Promise asleep(Rig rig) throws Exception {
        Child sleeper = rig.serve();
        rig.pushGated(Rig.SLOTS);
        rig.awaitBegun(Rig.SLOTS);
        Child other = rig.serve();
        Set<String> inHand = rig.inHandsOf(sleeper);
        rig.fault(inHand);
        sleeper.signal("STOP");
        rig.await("taken over", () -> rig.begun() >= 2L * Rig.SLOTS);
        sleeper.signal("CONT");
        rig.openGate();
        rig.push(200, 5);
        rig.drain();
        assert other.isAlive();
        return Promise.duplicatesOfRunning().overlaps(inHand.size()).recoveredWithin(recovery(rig));
    }
}
