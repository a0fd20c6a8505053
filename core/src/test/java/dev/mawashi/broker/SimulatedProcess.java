package dev.mawashi.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.event.Event;
import dev.mawashi.event.RecordedEvents;
import dev.mawashi.presence.SteppedLease;
import dev.mawashi.redis.RedisFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;

/// A process of a simulation: what it runs, how its runs ended, and what it has not settled yet.
final class SimulatedProcess implements AutoCloseable {
    private static final int BYTES_MAX = 1 << 20;
    private static final Duration SHORT = Duration.ofMillis(10);
    private static final Duration LONG = Duration.ofMinutes(5);

    private final List<String> queues;
    private final Supplier<String> story;
    private final Claiming claiming;
    private final Settling settling;
    private final Leasing leasing;
    private final Parking parking;
    private final Epoch epoch;
    private final SteppedLease lease;
    private final RecordedEvents events = new RecordedEvents();
    private final Map<Long, Lease> running = new TreeMap<>();
    private final Map<Long, Settlement> ends = new HashMap<>();
    private final List<Settled> unsent = new ArrayList<>();

    private boolean isKept;

    /// The owner that it was when a job came to it last.
    private String parkedAs;

    /// Tokens of settlements that may have been made.
    private final Set<Long> inDoubt = new HashSet<>();

    SimulatedProcess(Broker broker, String name, List<String> queues, Supplier<String> story) {
        this.queues = queues;
        this.story = story;
        claiming = broker.claiming();
        settling = broker.settling();
        leasing = broker.leasing();
        parking = broker.parking();
        epoch = new Epoch(name);
        parkedAs = epoch.owner();
        lease = new SteppedLease(leasing, epoch, queues, this::settleAgain, events);
        keep();
    }

    String owner() {
        return epoch.owner();
    }

    /// @return how many; none where the claim failed
    int claim(int most) {
        try {
            List<Lease> leases = claiming.claim(queues, owner(), most, BYTES_MAX).leases();
            leases.forEach(one -> running.put(one.token(), one));
            return leases.size();
        } catch (RedisFailure _) {
            return 0;
        }
    }

    /// A job comes to it while it is parked, and begins or finds no slot. It parks whether it has a
    /// lease or not: that may have been lost meanwhile.
    ///
    /// @return whether one came
    boolean arrive(String queue, boolean hasSlot) {
        try {
            if (!parkedAs.equals(owner())) {
                queues.forEach(name -> parking.giveBack(name, parkedAs));
                parkedAs = owner();
            }
            Parking.Arrival arrival = parking.awaitArrival(queue, owner(), SHORT);
            if (arrival instanceof Parking.Arrival.Job job && hasSlot) {
                parking.begin(job);
                running.put(job.lease().token(), job.lease());
                unsent.add(new Settled(job.lease(), Settlement.ARRIVED));
            } else if (arrival instanceof Parking.Arrival.Job job) {
                parking.leave(job);
            }
            return arrival instanceof Parking.Arrival.Job;
        } catch (RedisFailure _) {
            return false;
        }
    }

    /// Whether a job of this queue runs that is not in flight yet: nobody parks there until it is.
    boolean hasBegun(String queue) {
        return unsent.stream()
                .anyMatch(one ->
                        one.settlement() instanceof Settlement.Arrived
                                && one.lease().queue().equals(queue));
    }

    /// Has what arrived and runs be in flight.
    ///
    /// @return false when nobody knows whether it is, and it is sent again
    boolean sendArrived() {
        List<Settled> arrived =
                unsent.stream()
                        .filter(one -> one.settlement() instanceof Settlement.Arrived)
                        .toList();
        try {
            if (!arrived.isEmpty()) {
                settling.settle(arrived);
                unsent.removeAll(arrived);
            }
            return true;
        } catch (RedisFailure _) {
            return false;
        }
    }

    /// Nothing else is in the hands of a process that runs suspects.
    int claimSuspect() {
        if (!running.isEmpty() || !unsent.isEmpty()) {
            return 0;
        }
        try {
            claiming.claimSuspect(queues, owner())
                    .ifPresent(one -> running.put(one.lease().token(), one.lease()));
        } catch (RedisFailure _) {
            // The claim is given up before the next one.
        }
        return running.size();
    }

    /// Some runs are over; what comes of them is sent later.
    void endSome(Random random) {
        List<Lease> all = new ArrayList<>(running.values());
        for (int i = random.nextInt(5); i > 0 && !all.isEmpty(); i--) {
            Lease lease = all.remove(random.nextInt(all.size()));
            byte[] job = lease.payload();
            end(
                    lease,
                    switch (random.nextInt(6)) {
                        case 0 -> new Settlement.Retry(job, Duration.ZERO);
                        case 1 -> new Settlement.Retry(job, LONG);
                        case 2 -> new Settlement.Bury(job);
                        case 3 -> Settlement.REQUEUE;
                        default -> Settlement.ACK;
                    });
        }
    }

    void endAll() {
        List.copyOf(running.values()).forEach(lease -> end(lease, Settlement.ACK));
    }

    private void end(Lease one, Settlement settlement) {
        running.remove(one.token());
        ends.put(one.token(), settlement);
        unsent.add(new Settled(one, settlement));
    }

    /// What Redis has again is settled as its run ended here. What never ran goes back.
    private void settleAgain(Settled one) {
        long token = one.lease().token();
        assertThat(running).as(story).doesNotContainKey(token);
        assertThat(one.lease().owner()).as(story).isEqualTo(owner());
        Settlement made = ends.getOrDefault(token, Settlement.REQUEUE);
        assertThat(one.settlement()).as(story).isEqualTo(made);
        unsent.add(one);
    }

    List<Settled> unsent() {
        return List.copyOf(unsent);
    }

    /// @return how many came late; -1 where nobody knows, and all is sent again
    int send() {
        if (!sendArrived()) {
            return -1;
        }
        try {
            int late = settling.settle(unsent()).late();
            unsent.clear();
            return late;
        } catch (RedisFailure failure) {
            if (failure.kind() == RedisFailure.Kind.UNKNOWN) {
                unsent.forEach(one -> inDoubt.add(one.lease().token()));
            }
            return -1;
        }
    }

    /// @return false when the server did not answer
    boolean keep() {
        isKept = lease.keep();
        assertThat(events.of(Event.Defect.class)).as(story).isEmpty();
        return isKept;
    }

    /// Whether it knows that its owner has a lease.
    boolean isKept() {
        return isKept;
    }

    /// Jobs of its present owner that are not settled by its account, and not in doubt.
    Collection<Lease> held() {
        Map<Long, Lease> held = new TreeMap<>(running);
        unsent.forEach(one -> held.putIfAbsent(one.lease().token(), one.lease()));
        held.keySet().removeAll(inDoubt);
        held.values().removeIf(one -> !one.owner().equals(owner()));
        return held.values();
    }

    Leasing.Recovered recover(String queue) {
        return leasing.recover(queue, owner());
    }

    /// Gives claims up whose reply was lost.
    void giveBack() {
        claiming.giveBack(queues, owner());
    }

    /// It ends as a server does that is stopped.
    void stop() {
        giveBack();
        send();
        leasing.release(owner(), queues);
    }

    @Override
    public void close() {
        parking.close();
        claiming.close();
        settling.close();
        leasing.close();
    }
}
