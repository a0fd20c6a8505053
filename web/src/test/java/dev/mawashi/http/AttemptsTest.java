package dev.mawashi.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class AttemptsTest {
    private final AtomicLong nanos = new AtomicLong(-5);
    private final Attempts attempts = new Attempts(nanos::get);
    private final List<String> lines = new ArrayList<>();
    private final Logger logger = Logger.getLogger(Attempts.class.getName());
    private final Handler listener =
            new Handler() {
                @Override
                public void publish(LogRecord line) {
                    lines.add(line.getMessage());
                }

                @Override
                public void flush() {}

                @Override
                public void close() {}
            };

    @BeforeEach
    void listen() {
        logger.addHandler(listener);
        logger.setUseParentHandlers(false);
    }

    @AfterEach
    void listenNoMore() {
        logger.removeHandler(listener);
        logger.setUseParentHandlers(true);
    }

    private void fail(String address, int times) {
        for (int i = 0; i < times; i++) {
            attempts.failed(address);
        }
    }

    @Test
    void ofTenThousandAddressesTheOldestIsForgotten() {
        fail("first", Attempts.FAILURES_MAX);
        assertThat(attempts.isBarred("first")).isTrue();
        for (int i = 0; i < 10_000; i++) {
            attempts.failed("other" + i);
        }

        assertThat(attempts.isBarred("first")).isFalse();
    }

    @Test
    void allAddressesOfANetworkAreOne() {
        for (int i = 0; i < Attempts.FAILURES_MAX; i++) {
            attempts.failed("[2001:db8:0:7:0:0:0:" + i + "]");
        }

        assertThat(attempts.isBarred("[2001:db8:0:7:ffff:0:0:9]")).isTrue();
        assertThat(attempts.isBarred("2001:db8:0:7:0:0:0:1")).isTrue();
        assertThat(attempts.isBarred("[2001:db8:0:8:0:0:0:1]")).isFalse();
    }

    @Test
    void theLogTellsOfTheFirstAndOfTheLast() {
        fail("10.0.0.1", 50);

        assertThat(lines)
                .containsExactly(
                        "a wrong secret came from 10.0.0.1",
                        "10 wrong secrets came from 10.0.0.1: turned away for a minute");
    }

    @Test
    void whoHasManyAddressesDoesNotFillTheLog() {
        for (int i = 0; i < 1_000; i++) {
            attempts.failed("host" + i);
        }

        assertThat(lines).hasSize(Attempts.LINES_MAX);
        assertThat(lines.getLast()).endsWith("; others are not logged for a minute");
        nanos.addAndGet(60_000_000_000L);
        attempts.failed("later");
        assertThat(lines).hasSize(Attempts.LINES_MAX + 1);
    }
}
