package dev.mawashi.ruby;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.client.JobSink;
import dev.mawashi.client.NewJob;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What Ruby enqueues through the shipped API arrives in the server's sink.
class NativeDoorTest {
    private static final FullSink SINK = new FullSink();
    private static RubyRuntime ruby;

    /// Keeps every call, until it is full.
    private static final class FullSink implements JobSink {
        private final List<List<NewJob>> calls = new ArrayList<>();
        private boolean isFull;

        @Override
        public void enqueue(List<NewJob> jobs) {
            if (isFull) {
                throw new IllegalStateException("Redis is full");
            }
            calls.add(jobs);
        }
    }

    @BeforeAll
    static void bootRuby() {
        ruby = RubyRuntime.boot(TestRuby.settings(TestRuby.JOBS, Map.of(), SINK));
    }

    @AfterAll
    static void closeRuby() {
        ruby.close();
    }

    @BeforeEach
    void empty() {
        SINK.calls.clear();
        SINK.isFull = false;
    }

    @Test
    void aJobArrivesWithItsQueueAndPayload() {
        String jid = ruby.eval("EchoJob.set(queue: 'low').perform_async('é', 1)").asJavaString();

        NewJob job = SINK.calls.getFirst().getFirst();
        assertThat(job.queue()).isEqualTo("low");
        assertThat(job.at()).isNull();
        assertThat(new String(job.payload(), UTF_8))
                .matches(
                        "\\{\"retry\":true,\"queue\":\"low\",\"args\":\\[\"é\",1],\"class\":\"EchoJob\","
                                + "\"jid\":\""
                                + jid
                                + "\",\"created_at\":\\d{13},\"enqueued_at\":\\d{13}}");
    }

    @Test
    void aScheduledJobArrivesWithItsTime() {
        ruby.eval("EchoJob.perform_at(4_000_000_000.25)");

        NewJob job = SINK.calls.getFirst().getFirst();
        assertThat(job.at()).isEqualTo(Instant.ofEpochSecond(4_000_000_000L, 250_000_000));
        assertThat(new String(job.payload(), UTF_8)).doesNotContain("enqueued_at");
    }

    @Test
    void aBulkArrivesInOneCall() {
        ruby.eval("EchoJob.perform_bulk([[1], [2], [3]])");

        assertThat(SINK.calls).hasSize(1);
        assertThat(SINK.calls.getFirst()).hasSize(3);
    }

    @Test
    void whatTheSinkThrowsIsARubyError() {
        SINK.isFull = true;

        assertThat(
                        ruby.eval(
                                        "begin; EchoJob.perform_async; rescue => e; \"#{e.class}: #{e.message}\"; end")
                                .asJavaString())
                .isEqualTo("Mawashi::Error: Redis is full");
    }

    @Test
    void aJobCanBeRunFromThePayloadItWasEnqueuedWith() {
        ruby.eval("EchoJob.perform_async('x', {'k' => [1.5, nil]})");
        try (RubySlot slot = ruby.runner().openSlot()) {
            slot.run("default", SINK.calls.getFirst().getFirst().payload());
        }

        assertThat(ruby.eval("Seen.take.last.inspect").asJavaString())
                .isEqualTo("[\"x\", {\"k\" => [1.5, nil]}]");
    }
}
