package dev.mawashi.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class AnswerThreadsTest {
    private static final int LIMIT_SECONDS = 30;

    private final AtomicLong nanos = new AtomicLong();
    private final AnswerThreads threads = new AnswerThreads(nanos::get);
    private final CountDownLatch redis = new CountDownLatch(1);
    private final CountDownLatch begun = new CountDownLatch(AnswerThreads.THREADS_MAX);
    private final AtomicInteger made = new AtomicInteger();
    private final List<Integer> statuses = Collections.synchronizedList(new ArrayList<>());

    @AfterEach
    void close() {
        redis.countDown();
        threads.close();
    }

    private Answer slow() {
        begun.countDown();
        try {
            assertThat(redis.await(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        made.incrementAndGet();
        return Answer.text(200, "ok");
    }

    private CountDownLatch ask(int times) {
        CountDownLatch answered = new CountDownLatch(times);
        for (int i = 0; i < times; i++) {
            threads.answer(
                    this::slow,
                    answer -> {
                        statuses.add(((Answer) answer).status());
                        answered.countDown();
                    });
        }
        return answered;
    }

    @Test
    void whoHasWaitedTooLongIsToldSoAndNothingIsDoneForThem() throws Exception {
        CountDownLatch first = ask(AnswerThreads.THREADS_MAX);
        assertThat(begun.await(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
        CountDownLatch late = ask(100);
        nanos.addAndGet(AnswerThreads.WAIT_MAX.toNanos() + 1);
        redis.countDown();

        assertThat(first.await(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(late.await(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(made).hasValue(AnswerThreads.THREADS_MAX);
        assertThat(Collections.frequency(statuses, 503)).isEqualTo(100);
    }

    @Test
    void ofMoreThanAThousandWhoWaitTheRestIsToldAtOnce() {
        ask(AnswerThreads.THREADS_MAX + 1_500);

        assertThat(statuses).hasSizeGreaterThanOrEqualTo(500).containsOnly(503);
    }
}
