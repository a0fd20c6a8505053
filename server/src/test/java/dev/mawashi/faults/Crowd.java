package dev.mawashi.faults;

import dev.mawashi.acceptance.Child;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Several servers at full work, of which one after the other is killed and replaced.
final class Crowd {
    private static final int BACKLOG = 3_000;

    /// What comes back to the head of a queue waits for a slot; jobs in hand at a kill may be
    /// recovered into a server that has not booted yet.
    private static final Duration RECOVERY = Duration.ofSeconds(45);

    private Crowd() {}

    static List<Scenario> all() {
        return List.of(
                Scenario.of("F03", "GitLab's replay: half killed, half ended", Crowd::replay)
                        .forSidekiq(),
                Scenario.of("F16", "50 kills at full speed", Crowd::fifty).forSidekiq());
    }

    private static Promise fifty(Rig rig) {
        return killed(rig, 50, Duration.ofMillis(500), 0);
    }

    /// Always two servers; the one to die is drawn, and its successor is up before.
    static Promise killed(Rig rig, int kills, Duration between, double milliseconds) {
        List<Child> servers = new ArrayList<>(List.of(rig.serve(), rig.serve()));
        for (int kill = 0; kill < kills; kill++) {
            rig.pause(between);
            servers.add(rig.serve());
            // So that the one to die is at work.
            long ended = rig.ended();
            if (rig.acknowledged() - ended < BACKLOG) {
                rig.push(2 * BACKLOG, milliseconds);
            }
            rig.awaitEnded(ended + 200);
            rig.kill(servers.remove(rig.random().nextInt(2)));
        }
        rig.drain();
        return Promise.duplicatesOfRunning().recoveredWithin(RECOVERY);
    }

    /// As GitLab tests its fetcher: a thousand jobs a server, half of the servers killed and half
    /// ended with TERM at half of the work, and new ones started; again and again for the time
    /// given.
    private static Promise replay(Rig rig) {
        int pairs = rig.settings().minutes() > 1 ? 3 : 1;
        long until = System.nanoTime() + (long) (rig.settings().minutes() * 60e9);
        do {
            List<Child> killed = new ArrayList<>();
            List<Child> ended = new ArrayList<>();
            for (int pair = 0; pair < pairs; pair++) {
                killed.add(rig.serve());
                ended.add(rig.serve());
            }
            int jobs = 2_000 * pairs;
            long before = rig.ended();
            rig.push(jobs, 20);
            rig.awaitEnded(before + jobs / 2);
            for (int pair = 0; pair < pairs; pair++) {
                ended.get(pair).signal("TERM");
                rig.kill(killed.get(pair));
            }
            ended.forEach(Child::awaitExit);
            Child last = rig.serve();
            rig.drain();
            last.signal("TERM");
            last.awaitExit();
        } while (System.nanoTime() < until);
        return Promise.duplicatesOfRunning().recoveredWithin(RECOVERY);
    }
}
