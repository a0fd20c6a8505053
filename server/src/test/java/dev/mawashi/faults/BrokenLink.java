package dev.mawashi.faults;

import dev.mawashi.acceptance.Child;
import dev.mawashi.redis.FaultProxy;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/// A network between a server and Redis that cuts, swallows, delays and slices.
final class BrokenLink {
    private static final int JOBS = 2_000;

    private BrokenLink() {}

    static List<Scenario> all() {
        return List.of(
                Scenario.of(
                                "F66",
                                "a server's packets vanish, both ways, for good",
                                BrokenLink::gone)
                        .quick(),
                Scenario.of(
                                "F67",
                                "cut before the reply, 60 times",
                                rig -> cut(rig, Cut.BEFORE_REPLY))
                        .forSidekiq()
                        .quick(),
                Scenario.of(
                                "F67",
                                "cut in the middle of the reply, 60 times",
                                rig -> cut(rig, Cut.IN_REPLY))
                        .forSidekiq(),
                Scenario.of("F67", "replies are held for 4 s, then cut", BrokenLink::held)
                        .forSidekiq(),
                Scenario.of(
                                "F68",
                                "cut before the command, 60 times",
                                rig -> cut(rig, Cut.BEFORE_SEND))
                        .forSidekiq(),
                Scenario.of("F69", "50 ms on the way back", rig -> slow(rig, 50)).forSidekiq(),
                Scenario.of("F69", "1 s on the way back", rig -> slow(rig, 1_000)).forSidekiq(),
                Scenario.of("F70", "replies come a byte at a time", BrokenLink::sliced)
                        .forSidekiq(),
                Scenario.of("F71", "100 kB/s each way, jobs of 300 kB", BrokenLink::narrow)
                        .forSidekiq(),
                Scenario.of("F73", "connection refused for 10 s", BrokenLink::refused).forSidekiq(),
                Scenario.of("F75", "cut off for two leases, then whole again", BrokenLink::zombie),
                Scenario.of(
                        "F76",
                        "commands arrive after their sender has given them up",
                        BrokenLink::late));
    }

    private enum Cut {
        BEFORE_SEND,
        BEFORE_REPLY,
        IN_REPLY
    }

    private static FaultProxy work(Rig rig) {
        FaultProxy link = rig.link();
        rig.serve();
        rig.push(JOBS, 10);
        rig.awaitEnded(JOBS / 4);
        return link;
    }

    private static Promise mended(Rig rig) {
        rig.repaired();
        rig.drain();
        return Promise.duplicates(0);
    }

    /// At commands that are drawn, one after the other.
    private static Promise cut(Rig rig, Cut kind) {
        FaultProxy link = work(rig);
        rig.push(JOBS, 5);
        for (int i = 0; i < 60 && rig.waiting() > 0; i++) {
            int fired = link.firedCuts();
            int burst = link.bursts() + 1 + rig.random().nextInt(8);
            switch (kind) {
                case BEFORE_SEND -> link.cutBeforeSend(burst);
                case BEFORE_REPLY -> link.cutAfterReplyBytes(burst, 0);
                case IN_REPLY -> link.cutAfterReplyBytes(burst, 1 + rig.random().nextInt(20));
            }
            rig.await("a cut", () -> link.firedCuts() > fired || link.bursts() > burst + 20);
        }
        return mended(rig);
    }

    private static Promise held(Rig rig) {
        FaultProxy link = work(rig);
        link.holdReplies();
        rig.pause(Duration.ofSeconds(4));
        link.cutAll();
        link.releaseReplies();
        return mended(rig);
    }

    private static Promise slow(Rig rig, int milliseconds) {
        FaultProxy link = rig.link();
        rig.serve();
        link.delay(Duration.ofMillis(milliseconds));
        rig.push(300, 5);
        return mended(rig);
    }

    private static Promise sliced(Rig rig) {
        FaultProxy link = rig.link();
        link.slice(1);
        rig.serve();
        rig.push(JOBS, 5);
        return mended(rig);
    }

    private static Promise refused(Rig rig) {
        FaultProxy link = work(rig);
        link.shut();
        rig.pause(Duration.ofSeconds(10));
        link.admit();
        return mended(rig);
    }

    private static Promise narrow(Rig rig) {
        FaultProxy link = rig.link();
        rig.serve();
        link.throttle(100_000);
        rig.pushArgs(10, "[5,null,\"" + "x".repeat(300_000) + "\"]");
        rig.push(50, 5);
        return mended(rig);
    }

    /// Claims, outcomes and renewals of a moment are done by Redis long after their sender has made
    /// them anew on other connections; its lease has lapsed meanwhile.
    private static Promise late(Rig rig) {
        FaultProxy link = rig.link();
        rig.serve();
        rig.push(2 * JOBS, 5);
        rig.awaitEnded(JOBS / 4);
        link.strand();
        rig.awaitEnded(JOBS);
        link.deliver();
        rig.push(JOBS, 5);
        return mended(rig);
    }

    /// Another server takes over. Jobs that were under way go on, and run twice.
    private static Promise gone(Rig rig) {
        rig.link();
        Child cutOff = rig.serve();
        rig.pushGated(Rig.SLOTS);
        rig.awaitBegun(Rig.SLOTS);
        rig.serve("--redis", rig.redis().address().toString());
        Set<String> inHand = rig.inHandsOf(cutOff);
        rig.fault(inHand);
        rig.link().silence();
        rig.await("taken over", () -> rig.begun() >= 2L * Rig.SLOTS);
        rig.openGate();
        rig.push(200, 5);
        rig.drain();
        return Promise.duplicatesOfRunning()
                .overlaps(inHand.size())
                .recoveredWithin(KilledServers.recovery(rig));
    }

    private static Promise zombie(Rig rig) {
        rig.link();
        Child cutOff = rig.serve();
        rig.pushGated(Rig.SLOTS);
        rig.awaitBegun(Rig.SLOTS);
        rig.serve("--redis", rig.redis().address().toString());
        Set<String> inHand = rig.inHandsOf(cutOff);
        rig.fault(inHand);
        rig.link().silence();
        rig.await("taken over", () -> rig.begun() >= 2L * Rig.SLOTS);
        rig.openGate();
        rig.push(JOBS, 5);
        rig.link().speak();
        rig.drain();
        return Promise.duplicatesOfRunning()
                .overlaps(inHand.size())
                .recoveredWithin(KilledServers.recovery(rig));
    }
}
