package dev.mawashi.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mawashi.Eventually;
import dev.mawashi.broker.Enqueuing;
import dev.mawashi.redis.RedisFailure;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class ClientTest {
    /// Its first round trip waits; the second one ends with an error of the thread that makes it.
    private static final class FailingSession implements Enqueuing {
        private final CountDownLatch first = new CountDownLatch(1);
        private final List<String> waiting = Collections.synchronizedList(new ArrayList<>());
        private int flushes;

        @Override
        public void push(String queue, List<byte[]> payloads) {
            waiting.add(queue);
        }

        @Override
        public void schedule(Instant due, byte[] payload) {}

        @Override
        public Map<Integer, RedisFailure> flush() {
            if (++flushes == 2) {
                throw new StackOverflowError();
            }
            try {
                first.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            waiting.clear();
            return Map.of();
        }

        @Override
        public void close() {
            waiting.clear();
        }
    }

    private static List<NewJob> jobs(String queue) {
        return List.of(new NewJob(queue, new byte[0], null));
    }

    @Test
    void anErrorOfTheThreadThatSendsIsToldToAllWhoseJobsItSent() throws Exception {
        FailingSession session = new FailingSession();
        Client client = new Client(session);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<?> first = threads.submit(() -> client.enqueue(jobs("first")));
            Eventually.until("it is on its way", () -> session.waiting.size() == 1);
            List<Future<?>> together = new ArrayList<>();
            for (String queue : List.of("a", "b", "c")) {
                together.add(threads.submit(() -> client.enqueue(jobs(queue))));
            }
            Eventually.until("they wait", () -> client.waiting() == 3);
            session.first.countDown();
            first.get();
            for (Future<?> each : together) {
                assertThatThrownBy(each::get).hasMessageContaining("may not be stored");
            }
        }
        assertThat(session.waiting).isEmpty();
        client.enqueue(jobs("next"));
    }
}
