package dev.mawashi.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.Eventually;
import dev.mawashi.event.Event;
import dev.mawashi.redis.RedisAddress;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/// Jobs that Redis refuses to move stay where they are, hold no others up, and are told once.
class StuckPromotionsIT extends PromoterRig {
    private static final RedisServerForTests SERVER = new RedisServerForTests();

    StuckPromotionsIT() {
        super(SERVER);
    }

    @AfterAll
    static void stopServer() {
        SERVER.close();
    }

    /// They are far more than are looked at together, and due before all others.
    @Test
    void jobsForAQueueKeyOfAWrongTypeStayAndHoldNoOthersUpAndAreToldOnce() {
        redis.call("SET", "queue:bad", "no list");
        List<String> stuck = scheduleMany("bad", 1_200);
        start(SERVER.address());

        for (int i = 0; i < 5; i++) {
            promoteOne("j" + i);
        }
        idleMoment();

        assertThat(members("schedule")).containsExactlyElementsOf(stuck);
        assertThat(redis.call("ZCOUNT", "schedule", "-inf", serverSeconds() + "")).isEqualTo(0L);
        assertThat(redis.call("GET", "queue:bad")).isEqualTo(RedisConnection.ascii("no list"));
        assertThat(events.all()).singleElement().isInstanceOf(Event.QueueRefused.class);
        assertThat(((Event.QueueRefused) events.all().getFirst()).reason()).contains("WRONGTYPE");
    }

    @Test
    void jobsForAQueueThatThisUserMayNotWriteStayAndHoldNoOthersUp() {
        redis.call("ACL", "SETUSER", "some", "on", ">pw", "+@all", "&*", "resetkeys");
        redis.call("ACL", "SETUSER", "some", "~schedule", "~retry", "~queues", "~queue:low");
        List<String> stuck = scheduleMany("secret", 300);
        String port = Integer.toString(SERVER.address().port());
        start(RedisAddress.parse("redis://some:pw@127.0.0.1:" + port));

        promoteOne("j1");

        assertThat(members("schedule")).containsExactlyElementsOf(stuck);
        // It may have moved together with the first of those.
        Eventually.until("it is told", () -> !events.all().isEmpty());
        assertThat(events.all()).singleElement().isInstanceOf(Event.QueueRefused.class);
    }

    @Test
    void aSetOfAWrongTypeHoldsTheOtherNotUpAndIsToldOnceUntilItIsMended() {
        redis.call("SET", "retry", "no set");
        start(SERVER.address());
        promoteOne("j1");
        promoteOne("j2");
        redis.call("DEL", "retry");
        redis.call("ZADD", "retry", "1", "{\"queue\":\"low\",\"jid\":\"mended\"}");
        Eventually.until("the mended set is served", () -> length("queue:low") == 3);
        redis.call("SET", "schedule", "no set");
        redis.call("ZADD", "retry", "1", "{\"queue\":\"low\",\"jid\":\"other\"}");
        Eventually.until("the other set is served", () -> length("queue:low") == 4);

        assertThat(events.all())
                .hasOnlyElementsOfType(Event.SetUnreadable.class)
                .extracting(event -> ((Event.SetUnreadable) event).set())
                .containsExactly("retry", "schedule");
        assertThat(events.of(Event.SetUnreadable.class).getFirst().reason()).contains("WRONGTYPE");
    }

    /// Schedules jobs for one queue, all due at one instant long ago, and returns them in order.
    private List<String> scheduleMany(String queue, int count) {
        List<String> jobs = new ArrayList<>();
        List<String> zadd = new ArrayList<>(List.of("ZADD", "schedule"));
        for (int i = 0; i < count; i++) {
            jobs.add("{\"queue\":\"%s\",\"jid\":\"%04d\"}".formatted(queue, i));
            zadd.addAll(List.of("0", jobs.getLast()));
        }
        redis.call(zadd.toArray(String[]::new));
        return jobs;
    }

    private List<String> members(String set) {
        return redis.call("ZRANGE", set, "0", "-1") instanceof List<?> members
                ? members.stream().map(StuckPromotionsIT::text).toList()
                : List.of();
    }
}
