package dev.mawashi.broker;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

/// A random life of jobs under several processes that crash, stop, come back as zombies and recover
/// one another, on a server that goes back in time now and then. After each step each job must be
/// where `Ledger` says, and in the end no process may have anything in flight that it does not
/// hold.
///
/// The first process runs suspects, the others all else. Leases are kept, and what was lost is
/// compared, by the code of real processes.
final class Simulation implements AutoCloseable {
    static final List<String> QUEUES = List.of("high", "low");
    private static final Duration LAPSED = Duration.ofSeconds(-1);
    private static final int PROCESSES = 3;
    private static final int STEPS_TOLD = 40;

    private final World world;
    private final String name;
    private final Random random;
    private final Places places;
    private final Enqueuing enqueuing;
    private final Scheduling scheduling;
    private final Leasing leasing;
    private final Ledger ledger = new Ledger();
    private final List<SimulatedProcess> processes = new ArrayList<>();
    private final Set<String> owners = new TreeSet<>();
    private final List<String> steps = new ArrayList<>();
    private Set<String> recovered = new HashSet<>();
    private Set<String> recoveredThen = new HashSet<>();
    private Set<String> heldThen = new HashSet<>();
    private int enqueued;
    private int started;
    private boolean mayPause;
    private boolean isBroken;

    /// @param name told with a failure
    Simulation(World world, String name, Random random) {
        this.world = world;
        this.name = name;
        this.random = random;
        places = world.places();
        Broker broker = world.process(() -> {});
        enqueuing = broker.enqueuing();
        scheduling = broker.scheduling();
        leasing = broker.leasing();
        for (int i = 0; i < PROCESSES; i++) {
            processes.add(start());
        }
        save();
    }

    private SimulatedProcess start() {
        return new SimulatedProcess(
                world.process(this::pause), "p" + started++, QUEUES, this::story);
    }

    void run(int count) {
        for (int i = 0; i < count; i++) {
            step();
            check();
        }
        finish();
    }

    private void step() {
        int choice = random.nextInt(100);
        if (choice < 14) {
            enqueue();
        } else if (choice < 34) {
            flaky(this::claim);
        } else if (choice < 52) {
            endRuns();
        } else if (choice < 66) {
            flaky(this::send);
        } else if (choice < 78) {
            keep();
        } else if (choice < 84) {
            promote();
        } else if (choice < 89) {
            recover();
        } else if (choice < 92) {
            stall();
        } else {
            seldom(choice);
        }
    }

    private void seldom(int choice) {
        switch (choice) {
            case 92 -> crash();
            case 93 -> stop();
            case 94, 95 -> save();
            case 96, 97 -> goBack();
            case 98 -> {
                world.pass(Duration.ofSeconds(100));
                steps.add("time passes");
            }
            default -> settleDown();
        }
    }

    /// Some of a step's commands may fail.
    private void flaky(Runnable step) {
        isBroken = random.nextInt(4) == 0;
        if (isBroken) {
            steps.add("broken:");
            world.breakSome(random);
        }
        try {
            step.run();
        } finally {
            isBroken = false;
            world.mend();
        }
    }

    private SimulatedProcess any() {
        return processes.get(random.nextInt(PROCESSES));
    }

    private String queue() {
        return QUEUES.get(random.nextInt(QUEUES.size()));
    }

    private void enqueue() {
        String queue = queue();
        List<byte[]> now = new ArrayList<>();
        for (int i = random.nextInt(6); i > 0; i--) {
            String jid = "j" + enqueued++;
            ledger.enqueued(jid);
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

    /// Long ago, or when the simulation is over.
    private Instant when() {
        return random.nextBoolean() ? Instant.EPOCH : Instant.EPOCH.plus(Duration.ofDays(40_000));
    }

    private void claim() {
        SimulatedProcess process = any();
        boolean isAlone = process == processes.getFirst();
        int jobs = isAlone ? process.claimSuspect() : process.claim(1 + random.nextInt(5));
        steps.add(process.owner() + " claims " + jobs);
    }

    private void endRuns() {
        SimulatedProcess process = any();
        process.endSome(random);
        steps.add(process.owner() + " ends some");
    }

    private void send() {
        SimulatedProcess process = any();
        if (!process.unsent().isEmpty()) {
            send(process);
        }
    }

    /// What is late is exactly what was no longer in flight.
    private void send(SimulatedProcess process) {
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
        steps.add(process.owner() + " settles " + batch.size() + ", late " + late);
        if (late >= 0) {
            assertThat(late).as(this::story).isEqualTo(expected);
        }
    }

    private void keep() {
        SimulatedProcess process = any();
        mayPause = random.nextBoolean();
        if (mayPause) {
            flaky(() -> steps.add(process.owner() + " keeps its lease " + process.keep()));
        } else {
            keepAlone(process);
        }
    }

    /// Nothing else happens meanwhile: what a process has in flight again has left the head of its
    /// queue, and no other job has.
    private void keepAlone(SimulatedProcess process) {
        Map<String, String> before = places.inFlightJids(QUEUES);
        Map<String, List<String>> queued = places.queuedJids(QUEUES);
        boolean isKept = process.keep();
        steps.add(process.owner() + " keeps its lease alone");
        assertThat(isKept).as(this::story).isTrue();
        Map<String, String> after = places.inFlightJids(QUEUES);
        for (Lease lease : process.held()) {
            String jid = Places.jid(lease.payload());
            boolean isNew =
                    !before.containsKey(Places.key(lease)) && after.containsKey(Places.key(lease));
            if (isNew && requireNonNull(queued.get(lease.queue())).remove(jid)) {
                ledger.joined(jid);
            }
        }
        assertThat(places.queuedJids(QUEUES)).as(this::story).isEqualTo(queued);
    }

    /// Between the two looks of a process that compares, others go on; its own settlements too.
    /// Nothing fails meanwhile.
    private void pause() {
        if (!mayPause) {
            return;
        }
        world.mend();
        for (int i = random.nextInt(4); i > 0; i--) {
            switch (random.nextInt(6)) {
                case 0 -> enqueue();
                case 1 -> claim();
                case 2 -> endRuns();
                case 3 -> promote();
                case 4 -> recover();
                default -> send();
            }
        }
        if (isBroken) {
            world.breakSome(random);
        }
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

    private void recover() {
        String queue = queue();
        List<String> owners = any().recover(queue).owners();
        recovered.addAll(owners);
        steps.add("recover " + owners + " in " + queue);
    }

    /// A process stands still for longer than its lease, and then goes on.
    private void stall() {
        SimulatedProcess process = any();
        steps.add(process.owner() + " stalls");
        lapse(process);
    }

    /// An owner that has no lease yet does not get one by that.
    private void lapse(SimulatedProcess process) {
        if (process.isKept()) {
            leasing.renew(process.owner(), QUEUES, LAPSED);
        }
    }

    private void crash() {
        SimulatedProcess process = any();
        steps.add(process.owner() + " crashes");
        lapse(process);
        replace(process);
    }

    private void stop() {
        SimulatedProcess process = any();
        send(process);
        process.stop();
        steps.add(process.owner() + " stops");
        replace(process);
    }

    private void replace(SimulatedProcess process) {
        process.close();
        processes.set(processes.indexOf(process), start());
    }

    private void save() {
        world.save();
        ledger.saved(places.whereabouts(QUEUES));
        recoveredThen = new HashSet<>(recovered);
        heldThen = Set.copyOf(places.inFlightJids(QUEUES).keySet());
        steps.add("save");
    }

    private void goBack() {
        world.goBack();
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
        steps.add("go back");
    }

    private void check() {
        processes.forEach(process -> owners.add(process.owner()));
        ledger.check(places.whereabouts(QUEUES), this::story);
    }

    /// All is sent and compared: a process has in flight what it runs, and nothing else.
    private void settleDown() {
        steps.add("settle down");
        mayPause = false;
        for (int i = 0; i < 2; i++) {
            for (SimulatedProcess process : processes) {
                process.giveBack();
                keepAlone(process);
                keepAlone(process);
                keepAlone(process);
                send(process);
            }
        }
        Map<String, String> inFlight = places.inFlightJids(QUEUES);
        for (SimulatedProcess process : processes) {
            Set<String> held = new HashSet<>();
            process.held().forEach(lease -> held.add(Places.key(lease)));
            Set<String> present = new HashSet<>(inFlight.keySet());
            present.removeIf(key -> !key.contains(" " + process.owner() + " "));
            assertThat(present).as(this::story).isEqualTo(held);
        }
    }

    /// Whatever dead owners have in flight is recovered, and what runs ends.
    private void finish() {
        settleDown();
        processes.forEach(process -> owners.remove(process.owner()));
        owners.forEach(owner -> leasing.open(owner, QUEUES, LAPSED));
        for (String queue : QUEUES) {
            processes.getFirst().recover(queue);
        }
        check();
        for (SimulatedProcess process : processes) {
            process.endAll();
            send(process);
        }
        check();
        assertThat(places.inFlightJids(QUEUES)).as(this::story).isEmpty();
    }

    private String story() {
        List<String> last = steps.subList(Math.max(0, steps.size() - STEPS_TOLD), steps.size());
        return name + ", step " + steps.size() + ": " + last + " ";
    }

    @Override
    public void close() {
        processes.forEach(SimulatedProcess::close);
        enqueuing.close();
        scheduling.close();
        leasing.close();
        world.close();
    }
}
