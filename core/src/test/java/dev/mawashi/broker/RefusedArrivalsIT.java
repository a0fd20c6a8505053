package dev.mawashi.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.redis.RedisAddress;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A job that arrived and that Redis refuses to put in flight.
class RefusedArrivalsIT extends BrokerHands {
    private static final RedisServerForTests SERVER = new RedisServerForTests();
    private static final RedisConnection REDIS = SERVER.connect();

    private final RedisBroker broker = new RedisBroker(SERVER.address(), DeadLimits.DEFAULT);
    private final RedisPlaces places = new RedisPlaces(REDIS);

    @AfterAll
    static void stopServer() {
        REDIS.close();
        SERVER.close();
    }

    @BeforeEach
    void emptyServer() {
        SERVER.flushAll();
        REDIS.call("ACL", "SETUSER", "limited", "reset", "on", ">pw", "~*", "&*", "+@all");
    }

    @Override
    Broker broker() {
        return broker;
    }

    @Override
    Places places() {
        return places;
    }

    /// @param refused a command of arrive.lua, or a key of a wrong type
    @ParameterizedTest
    @ValueSource(
            strings = {
                "-time",
                "-zscore",
                "-hexists",
                "-hdel",
                "-hset",
                "-lrem",
                "inflight:a",
                "leases",
                "recovered"
            })
    void staysInOnePlaceAndIsSettledOnceRedisTakesIt(String refused) {
        open("a", "q");
        REDIS.call("LPUSH", "mw:{queue:q}:arrivals:a", "older", "old");
        push("q", "1");
        String url = SERVER.url().replace("redis://", "redis://limited:pw@");
        Broker limited = new RedisBroker(RedisAddress.parse(url), DeadLimits.DEFAULT);
        try (Parking parking = limited.parking();
                Settling settling = limited.settling()) {
            var job = (Parking.Arrival.Job) parking.awaitArrival("q", "a", LONG);
            parking.begin(job);
            List<Settled> all =
                    List.of(
                            new Settled(job.lease(), Settlement.ARRIVED),
                            new Settled(job.lease(), Settlement.REQUEUE));
            refuse(refused);
            for (int i = 0; i < 3; i++) {
                settling.settle(all.subList(0, 1));
                assertThat(arrivedOrInFlight()).containsExactly("older", "old", "1");
            }
            mend(refused);

            assertThat(settling.settle(all).refused()).isEmpty();

            assertThat(arrivedOrInFlight()).containsExactly("older", "old");
            assertThat(queued("q")).containsExactly("1");
        }
    }

    private List<String> arrivedOrInFlight() {
        List<String> all = new ArrayList<>();
        places.arrived("q").forEach(payload -> all.add(Places.text(payload)));
        if (!(REDIS.call("TYPE", "mw:{queue:q}:inflight:a") instanceof byte[] type)
                || !Places.text(type).equals("string")) {
            all.addAll(inFlight("q"));
        }
        return all;
    }

    private static void refuse(String what) {
        if (what.startsWith("-")) {
            REDIS.call("ACL", "SETUSER", "limited", what);
        } else {
            REDIS.call("SET", "mw:{queue:q}:" + what, "no such type");
        }
    }

    private static void mend(String what) {
        if (what.startsWith("-")) {
            REDIS.call("ACL", "SETUSER", "limited", "+@all");
        } else {
            REDIS.call("DEL", "mw:{queue:q}:" + what);
        }
    }

    /// Whatever is sent first.
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatCameOfItWaitsForIt(boolean isTogether) {
        open("a", "q");
        push("q", "1");
        try (Parking parking = broker.parking();
                Settling settling = broker.settling()) {
            var job = (Parking.Arrival.Job) parking.awaitArrival("q", "a", LONG);
            parking.begin(job);
            List<Settled> arrival = List.of(new Settled(job.lease(), Settlement.ARRIVED));
            List<Settled> end = List.of(new Settled(job.lease(), Settlement.ACK));
            refuse("inflight:a");
            if (isTogether) {
                List<Settled> both = List.of(arrival.getFirst(), end.getFirst());
                assertThat(settling.settle(both).refused()).hasSize(2);
            } else {
                assertThat(settling.settle(arrival).refused()).hasSize(1);
            }
            mend("inflight:a");
            SettleReport early = settling.settle(end);
            assertThat(early.refused()).extracting(SettleReport.Refused::settled).isEqualTo(end);
            assertThat(early.late()).isZero();

            assertThat(settling.settle(arrival).refused()).isEmpty();
            assertThat(settling.settle(end).late()).isZero();

            assertThat(places.whereabouts(List.of("q"))).isEmpty();
        }
    }
}
