package dev.mawashi.broker;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

/// A random life of jobs under several processes that crash, stop, come back as zombies and recover
/// one another, on a server that goes back in time now and then. Here each step is drawn and done;
/// `Audit` knows what must hold: after each step each job must be where `Ledger` says, and in the
/// end no process may have anything in flight that it does not hold.
///
/// The first process runs suspects, the others all else. Leases are kept, and what was lost is
/// compared, by the code of real processes.
final class Simulation implements AutoCloseable {
    static final List<String> QUEUES = List.of("high", "low");
    private static final Duration LAPSED = Duration.ofSeconds(-1);
    private static final int PROCESSES = 3;

    private final World world;
    private final Random random;
    private final Story story;
    private final Audit audit;
    private final Enqueuing enqueuing;
    private final Scheduling scheduling;
    private final Leasing leasing;
    private final List<SimulatedProcess> processes = new ArrayList<>();
    private final Set<String> owners = new TreeSet<>();
    private int enqueued;
    private int started;
    private boolean mayPause;
    private boolean isBroken;

    /// @param name told with a failure
    Simulation(World world, String name, Random random) {
        this.world = world;
        this.random = random;
        story = new Story(name);
        audit = new Audit(world.places(), story);
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
        return new SimulatedProcess(world.process(this::pause), "p" + started++, QUEUES, story);
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
        } else if (choice < 29) {
            flaky(this::claim);
        } else if (choice < 34) {
            flaky(this::arrive);
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
                story.add("time passes");
            }
            default -> settleDown();
        }
    }

    /// Some of a step's commands may fail.
    private void flaky(Runnable step) {
        isBroken = random.nextInt(4) == 0;
        if (isBroken) {
            story.add("broken:");
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
            audit.enqueued(jid);
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
        story.add("enqueue to " + enqueued);
    }

    /// Long ago, or when the simulation is over.
    private Instant when() {
        return random.nextBoolean() ? Instant.EPOCH : Instant.EPOCH.plus(Duration.ofDays(40_000));
    }

    private void claim() {
        SimulatedProcess process = any();
        boolean isAlone = process == processes.getFirst();
        int jobs = isAlone ? process.claimSuspect() : process.claim(1 + random.nextInt(5));
        story.add(process.owner() + " claims " + jobs);
    }

    private void arrive() {
        SimulatedProcess process = any();
        String queue = queue();
        boolean runsSuspects = process == processes.getFirst();
        if (!runsSuspects && !process.hasBegun(queue) && audit.hasJob(queue)) {
            boolean came = process.arrive(queue, random.nextInt(4) > 0);
            story.add((came ? "a job comes to " : "none comes to ") + process.owner());
        }
    }

    private void endRuns() {
        SimulatedProcess process = any();
        process.endSome(random);
        story.add(process.owner() + " ends some");
    }

    private void send() {
        SimulatedProcess process = any();
        if (!process.unsent().isEmpty()) {
            audit.send(process);
        }
    }

    private void keep() {
        SimulatedProcess process = any();
        mayPause = random.nextBoolean();
        if (mayPause) {
            flaky(() -> story.add(process.owner() + " keeps its lease " + process.keep()));
        } else {
            audit.keepAlone(process);
        }
    }

    /// Between the two looks of a process that compares, others go on; its own settlements too.
    /// Nothing fails meanwhile.
    private void pause() {
        if (!mayPause) {
            return;
        }
        world.mend();
        for (int i = random.nextInt(4); i > 0; i--) {
            switch (random.nextInt(7)) {
                case 6 -> arrive();
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
            story.add("promote " + scheduling.promote(promotions).moved());
        }
    }

    private void recover() {
        String queue = queue();
        List<String> owners = any().recover(queue).owners();
        audit.recovered(owners);
        story.add("recover " + owners + " in " + queue);
    }

    /// A process stands still for longer than its lease, and then goes on.
    private void stall() {
        SimulatedProcess process = any();
        story.add(process.owner() + " stalls");
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
        story.add(process.owner() + " crashes");
        lapse(process);
        replace(process);
    }

    private void stop() {
        SimulatedProcess process = any();
        audit.send(process);
        process.stop();
        story.add(process.owner() + " stops");
        replace(process);
    }

    private void replace(SimulatedProcess process) {
        process.close();
        processes.set(processes.indexOf(process), start());
    }

    private void save() {
        world.save();
        audit.saved();
        story.add("save");
    }

    private void goBack() {
        world.goBack();
        audit.wentBack(processes);
        story.add("go back");
    }

    private void check() {
        processes.forEach(process -> owners.add(process.owner()));
        audit.check();
    }

    /// All is sent and compared: a process has in flight what it runs, and nothing else.
    private void settleDown() {
        story.add("settle down");
        mayPause = false;
        for (int i = 0; i < 2; i++) {
            for (SimulatedProcess process : processes) {
                process.giveBack();
                audit.keepAlone(process);
                audit.keepAlone(process);
                audit.keepAlone(process);
                audit.send(process);
            }
        }
        audit.checkHeld(processes);
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
            audit.send(process);
        }
        check();
        audit.checkNothingInFlight();
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
