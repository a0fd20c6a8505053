package dev.mawashi.presence;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.Eventually;
import dev.mawashi.broker.DeadLimits;
import dev.mawashi.broker.Enqueuing;
import dev.mawashi.broker.Epoch;
import dev.mawashi.broker.FailurePlace;
import dev.mawashi.broker.RedisBroker;
import dev.mawashi.dispatch.Cancelled;
import dev.mawashi.dispatch.Capsule;
import dev.mawashi.dispatch.CapsuleParts;
import dev.mawashi.dispatch.CapsuleSettings;
import dev.mawashi.dispatch.Execution;
import dev.mawashi.dispatch.GatedRunner;
import dev.mawashi.dispatch.PayloadBudget;
import dev.mawashi.dispatch.Routes;
import dev.mawashi.dispatch.RunParts;
import dev.mawashi.event.Event;
import dev.mawashi.event.Outage;
import dev.mawashi.event.RecordedEvents;
import dev.mawashi.fetch.Pauses;
import dev.mawashi.fetch.QueueOrder;
import dev.mawashi.fetch.QueuePatterns;
import dev.mawashi.metrics.RunTallies;
import dev.mawashi.redis.KeyReports;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import dev.mawashi.settle.FailurePolicy;
import dev.mawashi.settle.Settler;
import dev.mawashi.wire.ResqueKeys;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A Resque capsule that serves whatever queues match.
class QueueWatchIT {
    private static final RedisServerForTests SERVER = new RedisServerForTests();
    private static final ResqueKeys KEYS = ResqueKeys.DEFAULT;
    private static final Duration LONG = Duration.ofSeconds(20);

    private final GatedRunner runner = new GatedRunner();
    private final RecordedEvents events = new RecordedEvents();
    private final Outage outage = new Outage(events, System::nanoTime);
    private final RedisBroker broker =
            new RedisBroker(SERVER.address(), DeadLimits.DEFAULT, KEYS.layout());
    private final Epoch epoch = new Epoch("me");
    private final Settler settler = new Settler(broker.settling(), events, outage);
    private final Pauses pauses = new Pauses();
    private final LeaseKeeper keeper =
            new LeaseKeeper(
                    broker.leasing(),
                    epoch,
                    List.of(),
                    new LeaseSettings(LeaseSettings.LENGTH, LeaseSettings.SWEEP),
                    _ -> {},
                    events,
                    outage);
    private final Capsule capsule =
            new Capsule(
                    new CapsuleSettings("resque", 2, QueueOrder.NONE),
                    new Execution.Threads(runner, false),
                    new CapsuleParts(
                            broker,
                            outage,
                            new Routes(events),
                            pauses,
                            PayloadBudget.ofHeap(),
                            new RunParts(
                                    new FailurePolicy(
                                            new FailurePlace(KEYS, false, "w"),
                                            InstantSource.system(),
                                            ZoneOffset.UTC,
                                            events),
                                    settler,
                                    epoch,
                                    events,
                                    new RunTallies(false),
                                    Cancelled.byJid())));
    private final QueueWatch watch =
            new QueueWatch(
                    new KeyReports(SERVER.connect(), SERVER::connect).watch(_ -> true),
                    KEYS,
                    new QueuePatterns("high,mail*,!mail_slow"),
                    new QueueWatch.Served(keeper, capsule, pauses, 32),
                    events,
                    outage);

    @AfterAll
    static void stopServer() {
        SERVER.close();
    }

    @BeforeEach
    void start() {
        SERVER.flushAll();
        runner.open();
        keeper.start();
        settler.start();
        watch.start();
        capsule.start();
    }

    @AfterEach
    void stop() {
        capsule.stop(Duration.ZERO);
        watch.stop(LONG);
        settler.stop(LONG);
        keeper.stop(LONG);
    }

    private void push(String queue) {
        try (Enqueuing enqueuing = broker.enqueuing()) {
            enqueuing.push(queue, List.of("{}".getBytes(StandardCharsets.UTF_8)));
            enqueuing.flush();
        }
    }

    private static Object call(String... command) {
        try (RedisConnection redis = SERVER.connect()) {
            return String.valueOf(redis.call(command));
        }
    }

    private void awaitEnded(int runs) {
        Eventually.until(runs + " runs ended", () -> capsule.counters().ended() == runs);
    }

    /// It is told once they are served: a job of theirs may have run before.
    private void awaitServed(String... queues) {
        Eventually.until(
                "served are " + List.of(queues),
                () -> {
                    List<Event.QueuesServed> told = events.of(Event.QueuesServed.class);
                    return !told.isEmpty() && told.getLast().queues().equals(List.of(queues));
                });
    }

    @Test
    void queuesAreServedOnceTheyAppearUnlessLeftOut() {
        push("mail_slow");
        push("other");
        push("mail_eu");
        awaitEnded(1);
        push("high");
        awaitEnded(2);
        push("mail");
        awaitEnded(3);

        awaitServed("high", "mail", "mail_eu");
        assertThat(call("LLEN", "resque:queue:mail_slow")).isEqualTo("1");
        assertThat(call("LLEN", "resque:queue:other")).isEqualTo("1");
        assertThat(events.of(Event.Defect.class)).isEmpty();
    }

    /// One more may park for each new name, where each had all 32 begin anew.
    @Test
    void newNamesLeaveTheParkersOfTheOthersAlone() {
        try (RedisConnection redis = SERVER.connect()) {
            for (int i = 10; i <= 50; i++) {
                redis.call("SADD", "resque:queues", "mail_k" + i);
            }
            redis.call("RPUSH", "resque:queue:mail_k50", "{}");
            awaitEnded(1);
            Eventually.until("all that may park do", () -> figure(redis, "blocked_clients") == 32);
            long before = connections(redis);
            int ended = 1;
            for (int i = 10; i < 20; i++) {
                for (String name : List.of("mail_a" + i, "mail_z" + i)) {
                    redis.call("SADD", "resque:queues", name);
                    redis.call("RPUSH", "resque:queue:" + name, "{}");
                    awaitEnded(++ended);
                }
            }

            assertThat(connections(redis) - before).isLessThanOrEqualTo(20);
            // Those that lost their parker, those that keep it, and those that never had one.
            for (int i = 10; i <= 50; i++) {
                redis.call("RPUSH", "resque:queue:mail_k" + i, "{}");
            }
            awaitEnded(ended + 41);
            assertThat(connections(redis) - before).isLessThanOrEqualTo(20);
            assertThat(events.of(Event.QueuesServed.class).getLast().fresh())
                    .containsExactly("mail_z19");
        }
    }

    private static long connections(RedisConnection redis) {
        return figure(redis, "total_connections_received");
    }

    private static long figure(RedisConnection redis, String name) {
        byte[] info = (byte[]) Objects.requireNonNull(redis.call("INFO"));
        return new String(info, StandardCharsets.UTF_8)
                .lines()
                .filter(line -> line.startsWith(name + ":"))
                .map(line -> Long.parseLong(line.substring(line.indexOf(':') + 1)))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aQueueThatIsRemovedIsServedAgainWhenItComesBack() {
        push("mail");
        awaitEnded(1);
        call("SREM", "resque:queues", "mail");
        awaitServed();

        push("mail");

        awaitEnded(2);
    }

    @Test
    void nothingIsClaimedWhileAllWorkersArePaused() {
        push("mail");
        awaitEnded(1);
        call("SET", "resque:pause-all-workers", " True ");
        Eventually.until("it is paused", () -> !events.of(Event.QueuesPaused.class).isEmpty());

        push("mail");
        push("mail_us");
        awaitServed("mail", "mail_us");
        assertThat(capsule.counters().ended()).isEqualTo(1);
        assertThat(call("LLEN", "resque:queue:mail_us")).isEqualTo("1");

        call("DEL", "resque:pause-all-workers");
        awaitEnded(3);
    }
}
