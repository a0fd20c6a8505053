package dev.mawashi.broker;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mawashi.redis.RedisFailure;
import dev.mawashi.redis.RedisServerForTests;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ParkingAbortIT {
    @Test
    void anAbortThatComesBeforeTheWaitEndsItToo() {
        try (RedisServerForTests server = new RedisServerForTests()) {
            Parking parking = new RedisBroker(server.address(), DeadLimits.DEFAULT).parking();
            parking.abort();

            assertThatThrownBy(() -> parking.awaitArrival("q", "me", Duration.ofHours(1)))
                    .isInstanceOf(RedisFailure.class);
            parking.close();
        }
    }
}
