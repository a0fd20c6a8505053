package dev.mawashi.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/// A random life of jobs under several processes that crash, come back as zombies and recover one
/// another. After each step every job must be in exactly one place, or acked.
final class Simulation implements AutoCloseable {
    private static final List<String> QUEUES = List.of("high", "low");
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final Duration LAPSED = Duration.ofSeconds(-1);
    private static final int OWNERS = 3;
    private static final int BYTES_MAX = 1 << 20;

    private final long seed;
    private final Random random;
    private final Places places;
    private final Enqueuing enqueuing;
    private final Claiming claiming;
    private final Settling settling;
    private final Scheduling scheduling;
    private final Leasing leasing;
    private final Set<String> alive = new HashSet<>();
    private final Set<String> acked = new HashSet<>();
    private final Set<String> fenced = new HashSet<>();
    private final List<Lease> held = new ArrayList<>();
    private final List<String> owners = new ArrayList<>();
    private final List<String> steps = new ArrayList<>();
    private int enqueued;
    private int epochs;

    Simulation(Broker broker, Places places, long seed) {
        this.seed = seed;
        this.places = places;
        random = new Random(seed);
        enqueuing = broker.enqueuing();
        claiming = broker.claiming();
        settling = broker.settling();
        scheduling = broker.scheduling();
        leasing = broker.leasing();
        for (int i = 0; i < OWNERS; i++) {
            owners.add(newOwner());
        }
    }

    private String newOwner() {
        String owner = "owner#" + epochs++;
        leasing.open(owner, QUEUES, LONG);
        return owner;
    }

    void run(int count) {
        for (int i = 0; i < count; i++) {
            step();
            assertConserved();
        }
        finish();
    }

    private void step() {
        switch (random.nextInt(11)) {
            case 0, 1 -> enqueue();
            case 2, 3 -> claim();
            case 4, 5, 6 -> settle();
            case 7 -> crash();
            case 8 -> recover();
            case 9 -> claimSuspect();
            default -> promote();
        }
    }

    private void enqueue() {
        String queue = queue();
        List<byte[]> now = new ArrayList<>();
        for (int i = random.nextInt(6); i > 0; i--) {
            String jid = "j" + enqueued++;
            alive.add(jid);
            if (random.nextInt(4) == 0) {
                enqueuing.schedule(when(), Places.job(jid));
            } else {
                now.add(Places.job(jid));
            }
        }
        if (!now.isEmpty()) {
            enqueuing.push(queue, now);
        }
        enqueuing.flush();
        steps.add("enqueue to " + enqueued);
    }

    private String queue() {
        return QUEUES.get(random.nextInt(QUEUES.size()));
    }

    /// Long ago, or when the simulation is over.
    private Instant when() {
        return random.nextBoolean() ? Instant.EPOCH : Instant.EPOCH.plus(Duration.ofDays(40_000));
    }

    private void claim() {
        String owner = owners.get(random.nextInt(OWNERS));
        List<Lease> leases =
                claiming.claim(QUEUES, owner, 1 + random.nextInt(5), BYTES_MAX).leases();
        held.addAll(leases);
        steps.add(owner + " claims " + leases.size());
    }

    /// Settles some of what was ever claimed: by live owners, and late by those that were
    /// recovered. Some of it twice, as after a lost reply.
    private void claimSuspect() {
        String owner = owners.get(random.nextInt(owners.size()));
        claiming.claimSuspect(QUEUES, owner)
                .ifPresent(suspect -> {
                    held.add(suspect.lease());
                    steps.add(owner + " claims a suspect");
                });
    }

    private void settle() {
        List<Settled> batch = new ArrayList<>();
        for (int i = random.nextInt(8); i > 0 && !held.isEmpty(); i--) {
            Lease lease = held.remove(random.nextInt(held.size()));
            batch.add(new Settled(lease, settlement(Places.jid(lease.payload()))));
        }
        if (batch.isEmpty()) {
            return;
        }
        Set<String> before = inFlightNow();
        long fencedOnes =
                batch.stream().filter(one -> hasEnded(one) && fenced.contains(holder(one))).count();
        int late = settling.settle(batch).late();
        assertThat(late).as(story()).isEqualTo((int) fencedOnes);
        steps.add("settle " + batch.size() + ", late " + late);
        Set<String> after = inFlightNow();
        for (Settled one : batch) {
            String jid = Places.jid(one.lease().payload());
            if (one.settlement() instanceof Settlement.Ack
                    && before.contains(jid)
                    && !after.contains(jid)
                    && !places.whereabouts(QUEUES).containsKey(jid)) {
                acked.add(jid);
                alive.remove(jid);
            }
        }
        if (random.nextInt(3) == 0) {
            long ended = batch.stream().filter(Simulation::hasEnded).count();
            assertThat(settling.settle(batch).late()).as(story()).isEqualTo((int) ended);
        }
    }

    private static boolean hasEnded(Settled settled) {
        return !settled.settlement().equals(Settlement.REQUEUE);
    }

    private static String holder(Settled settled) {
        return settled.lease().queue() + " " + settled.lease().owner();
    }

    private Set<String> inFlightNow() {
        Set<String> jids = new HashSet<>();
        QUEUES.forEach(queue -> places.inFlight(queue).forEach(p -> jids.add(Places.jid(p))));
        return jids;
    }

    private Settlement settlement(String jid) {
        return switch (random.nextInt(6)) {
            case 0 -> new Settlement.Retry(Places.job(jid), Duration.ZERO);
            case 1 -> new Settlement.Retry(Places.job(jid), LONG);
            case 2 -> new Settlement.Bury(Places.job(jid));
            case 3 -> Settlement.REQUEUE;
            default -> Settlement.ACK;
        };
    }

    /// An owner is forgotten. It may go on settling, as a process does that was only stopped.
    private void crash() {
        int which = random.nextInt(OWNERS);
        leasing.open(owners.get(which), QUEUES, LAPSED);
        steps.add("crash " + owners.get(which));
        owners.set(which, newOwner());
    }

    private void recover() {
        String queue = queue();
        Leasing.Recovered recovered = leasing.recover(queue, "");
        recovered.owners().forEach(owner -> fenced.add(queue + " " + owner));
        steps.add("recover " + recovered);
    }

    private void promote() {
        List<Scheduling.Promotion> promotions = new ArrayList<>();
        for (Scheduling.Entry entry : scheduling.due(10, 1 << 20).entries()) {
            if (random.nextInt(8) == 0) {
                scheduling.bury(entry);
            } else {
                promotions.add(new Scheduling.Promotion(entry, queue(), entry.payload()));
            }
        }
        if (!promotions.isEmpty()) {
            steps.add("promote " + scheduling.promote(promotions).moved());
        }
    }

    private void assertConserved() {
        Map<String, List<String>> found = places.whereabouts(QUEUES);
        assertThat(found.keySet()).as(story()).isEqualTo(alive);
        found.forEach((jid, where) -> assertThat(where).as(story() + jid).hasSize(1));
    }

    /// All owners die and are recovered: nothing is in flight, and settling changes nothing more.
    private void finish() {
        owners.forEach(owner -> leasing.open(owner, QUEUES, LAPSED));
        QUEUES.forEach(queue -> leasing.recover(queue, ""));
        assertThat(inFlightNow()).as(story()).isEmpty();
        held.forEach(lease -> settling.settle(List.of(new Settled(lease, Settlement.ACK))));
        assertConserved();
        assertThat(acked.size() + alive.size()).as(story()).isEqualTo(enqueued);
    }

    private String story() {
        List<String> last = steps.subList(Math.max(0, steps.size() - 30), steps.size());
        return "seed " + seed + ", step " + steps.size() + ": " + last + " ";
    }

    @Override
    public void close() {
        enqueuing.close();
        claiming.close();
        settling.close();
        scheduling.close();
        leasing.close();
    }
}
