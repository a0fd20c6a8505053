package dev.mawashi.broker;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// What must hold in a simulation, step by step. It looks at every place before and after a step,
/// tells the `Ledger` which jobs the step has ended, joined or brought back, and has each job be
/// where the ledger says.
final class Audit {
    private static final List<String> QUEUES = Simulation.QUEUES;

    private final Places places;
    private final Story story;
    private final Ledger ledger = new Ledger();
    private Set<String> recovered = new HashSet<>();
    private Set<String> recoveredThen = new HashSet<>();
    private Set<String> heldThen = new HashSet<>();

    Audit(Places places, Story story) {
        this.places = places;
        this.story = story;
    }

    void enqueued(String jid) {
        ledger.enqueued(jid);
    }

    void recovered(List<String> owners) {
        recovered.addAll(owners);
    }

    /// What is late is exactly what was no longer in flight.
    void send(SimulatedProcess process) {
        if (!process.sendArrived()) {
            story.add(process.owner() + " cannot put in flight what arrived");
            return;
        }
        List<Settled> batch = process.unsent();
        Map<String, String> before = places.inFlightJids(QUEUES);
        int late = process.send();
        Map<String, String> after = places.inFlightJids(QUEUES);
        Set<String> left = new HashSet<>(before.keySet());
        int expected = 0;
        for (Settled one : batch) {
            String key = Places.key(one.lease());
            boolean isThere = left.remove(key);
            if (one.settlement() instanceof Settlement.Ack && isThere && !after.containsKey(key)) {
                ledger.ended(requireNonNull(before.get(key)));
            }
            expected += isThere || one.settlement().equals(Settlement.REQUEUE) ? 0 : 1;
        }
        story.add(process.owner() + " settles " + batch.size() + ", late " + late);
        if (late >= 0) {
            assertThat(late).as(story).isEqualTo(expected);
        }
    }

    /// Nothing else happens meanwhile: what a process has in flight again has left the head of its
    /// queue, and no other job has. One that stands there with other bytes is not found, and runs
    /// twice.
    void keepAlone(SimulatedProcess process) {
        Map<String, String> before = places.inFlightJids(QUEUES);
        Map<String, List<String>> queued = places.queuedTexts(QUEUES);
        boolean isKept = process.keep();
        story.add(process.owner() + " keeps its lease alone");
        assertThat(isKept).as(story).isTrue();
        Map<String, String> after = places.inFlightJids(QUEUES);
        for (Lease lease : process.held()) {
            String text = Places.text(lease.payload());
            boolean isNew =
                    !before.containsKey(Places.key(lease)) && after.containsKey(Places.key(lease));
            if (isNew && requireNonNull(queued.get(lease.queue())).remove(text)) {
                ledger.joined(Places.jid(lease.payload()));
            }
        }
        assertThat(places.queuedTexts(QUEUES)).as(story).isEqualTo(queued);
    }

    /// The server keeps what it holds now.
    void saved() {
        ledger.saved(places.whereabouts(QUEUES));
        recoveredThen = new HashSet<>(recovered);
        heldThen = Set.copyOf(places.inFlightJids(QUEUES).keySet());
    }

    /// The server holds what it held when it was `saved`; what processes hold, they hold still.
    void wentBack(Collection<SimulatedProcess> processes) {
        recovered = new HashSet<>(recoveredThen);
        List<String> heldElsewhere = new ArrayList<>();
        for (SimulatedProcess process : processes) {
            if (!recovered.contains(process.owner())) {
                process.held().stream()
                        .filter(lease -> !heldThen.contains(Places.key(lease)))
                        .forEach(lease -> heldElsewhere.add(Places.jid(lease.payload())));
            }
        }
        ledger.wentBack(heldElsewhere);
    }

    /// Whether a job waits in this queue.
    boolean hasJob(String queue) {
        return !places.queued(queue).isEmpty();
    }

    /// Each job is where the ledger says.
    void check() {
        ledger.check(places.whereabouts(QUEUES), story);
    }

    /// A process has in flight what it holds, and nothing else.
    void checkHeld(Collection<SimulatedProcess> processes) {
        Map<String, String> inFlight = places.inFlightJids(QUEUES);
        for (SimulatedProcess process : processes) {
            Set<String> held = new HashSet<>();
            process.held().forEach(lease -> held.add(Places.key(lease)));
            Set<String> present = new HashSet<>(inFlight.keySet());
            present.removeIf(key -> !key.contains(" " + process.owner() + " "));
            assertThat(present).as(story).isEqualTo(held);
        }
    }

    void checkNothingInFlight() {
        assertThat(places.inFlightJids(QUEUES)).as(story).isEmpty();
    }
}
