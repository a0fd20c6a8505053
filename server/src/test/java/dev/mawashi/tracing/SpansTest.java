package dev.mawashi.tracing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mawashi.client.JobSink;
import dev.mawashi.client.NewJob;
import dev.mawashi.execute.Tracing;
import dev.mawashi.job.Outcome;
import dev.mawashi.wire.Payload;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Spans as the real SDK has them.
final class SpansTest {
    private static final Instant NOW = Instant.parse("2026-11-24T10:00:00Z");
    private static final String PARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    private static final AttributeKey<String> ERROR = AttributeKey.stringKey("error.type");

    private final InMemorySpanExporter exporter = InMemorySpanExporter.create();
    private final SdkTracerProvider provider =
            SdkTracerProvider.builder()
                    .addSpanProcessor(SimpleSpanProcessor.create(exporter))
                    .build();
    private final Tracer tracer = provider.get("test");
    private final Tracing runs = new RunSpans(tracer, "sidekiq", () -> NOW);
    private final List<NewJob> stored = new ArrayList<>();
    private final JobSink sink = new TracedSink(stored::addAll, tracer);

    @AfterEach
    void close() {
        provider.close();
    }

    private static byte[] payload(String more) {
        return "{\"class\":\"Report\",\"jid\":\"j1\",\"args\":[]%s}"
                .formatted(more)
                .getBytes(UTF_8);
    }

    private static NewJob job(String more) {
        return new NewJob("low", payload(more), null);
    }

    private static byte[] under(String parent) {
        return payload(",\"traceparent\":\"" + parent + "\",\"tracestate\":\"a=1\"");
    }

    private SpanData only() {
        assertThat(exporter.getFinishedSpanItems()).hasSize(1);
        return exporter.getFinishedSpanItems().getFirst();
    }

    private static @Nullable String parentOf(NewJob job) {
        return Payload.parse(job.payload()).text("traceparent");
    }

    @Test
    void aRunIsAChildOfWhatEnqueuedItsJob() {
        runs.begin("low", under(PARENT)).end(Outcome.SUCCEEDED);

        SpanData span = only();
        assertThat(span.getName()).isEqualTo("process Report");
        assertThat(span.getKind()).isEqualTo(SpanKind.CONSUMER);
        assertThat(span.getTraceId()).isEqualTo("4bf92f3577b34da6a3ce929d0e0e4736");
        assertThat(span.getParentSpanId()).isEqualTo("00f067aa0ba902b7");
        assertThat(span.getParentSpanContext().isRemote()).isTrue();
        assertThat(span.getSpanContext().getTraceState().get("a")).isEqualTo("1");
        assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
        assertThat(span.getAttributes().get(RunSpans.SYSTEM)).isEqualTo("sidekiq");
        assertThat(span.getAttributes().get(RunSpans.OPERATION)).isEqualTo("process");
        assertThat(span.getAttributes().get(RunSpans.QUEUE)).isEqualTo("low");
        assertThat(span.getAttributes().get(RunSpans.ID)).isEqualTo("j1");
        assertThat(span.getAttributes().get(RunSpans.classKey("sidekiq"))).isEqualTo("Report");
    }

    @Test
    void whatARunDoesOnItsThreadBelongsToIt() {
        Tracing.Span run = runs.begin("low", under(PARENT));
        String current = Span.current().getSpanContext().getSpanId();
        run.end(Outcome.SUCCEEDED);

        assertThat(current).isEqualTo(only().getSpanId());
        assertThat(Span.current().getSpanContext().isValid()).isFalse();
    }

    @Test
    void aRunInAnotherProcessIsToldWithItsTimes() {
        runs.ran("low", under(PARENT), 2_000_000, Outcome.SUCCEEDED);

        assertThat(only().getEndEpochNanos()).isEqualTo(NOW.getEpochSecond() * 1_000_000_000L);
        assertThat(only().getEndEpochNanos() - only().getStartEpochNanos()).isEqualTo(2_000_000);
        assertThat(only().getParentSpanId()).isEqualTo("00f067aa0ba902b7");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "00-4bf9-00f0-01", "\\\"", "00-0-0-00"})
    void whatIsNoTraceparentIsLeftOut(String parent) {
        runs.begin("low", under(parent)).end(Outcome.SUCCEEDED);

        assertThat(only().getParentSpanContext().isValid()).isFalse();
    }

    @Test
    void whatIsNoJobHasASpanToo() {
        runs.begin("low", "{\"class\"".getBytes(UTF_8)).end(new Outcome.Malformed("no JSON"));

        assertThat(only().getName()).isEqualTo("process low");
        assertThat(only().getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
        assertThat(only().getAttributes().get(ERROR)).isEqualTo("malformed");
    }

    @Test
    void aFailureSaysWhat() {
        String long1 = "x".repeat(5_000);
        runs.begin("low", payload(",\"retry_count\":2"))
                .end(new Outcome.Failed("ArgumentError", long1, List.of("a.rb:1", "b.rb:2")));

        SpanData span = only();
        assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
        assertThat(span.getStatus().getDescription()).hasSize(1_000);
        assertThat(span.getAttributes().get(ERROR)).isEqualTo("ArgumentError");
        assertThat(span.getAttributes().get(AttributeKey.longKey("mawashi.retry_count")))
                .isEqualTo(3);
        assertThat(span.getEvents().getFirst().getAttributes().asMap())
                .containsEntry(AttributeKey.stringKey("exception.stacktrace"), "a.rb:1\nb.rb:2");
    }

    @Test
    void aStopAndACancelAreNoErrors() {
        runs.begin("low", payload("")).end(Outcome.INTERRUPTED);
        runs.begin("low", payload("")).end(Outcome.CANCELLED);

        assertThat(exporter.getFinishedSpanItems())
                .allMatch(span -> span.getStatus().getStatusCode() == StatusCode.UNSET)
                .extracting(
                        span -> span.getAttributes().get(AttributeKey.stringKey("mawashi.outcome")))
                .containsExactly("interrupted", "cancelled");
    }

    @Test
    void whatIsEnqueuedTogetherHasOneSpanAndItsContext() {
        sink.enqueue(List.of(job(""), job("")));

        SpanData span = only();
        assertThat(span.getName()).isEqualTo("send Report");
        assertThat(span.getKind()).isEqualTo(SpanKind.PRODUCER);
        assertThat(span.getAttributes().get(AttributeKey.longKey("messaging.batch.message_count")))
                .isEqualTo(2);
        String expected = "00-" + span.getTraceId() + "-" + span.getSpanId() + "-";
        assertThat(stored)
                .hasSize(2)
                .extracting(SpansTest::parentOf)
                .allMatch(parent -> parent != null && parent.startsWith(expected));
    }

    @Test
    void aJobThatARunEnqueuesIsInTheTraceOfThatRun() {
        Tracing.Span run = runs.begin("low", under(PARENT));
        sink.enqueue(List.of(job("")));
        run.end(Outcome.SUCCEEDED);
        runs.begin("low", stored.getFirst().payload()).end(Outcome.SUCCEEDED);

        List<SpanData> spans = exporter.getFinishedSpanItems();
        assertThat(spans)
                .hasSize(3)
                .extracting(SpanData::getTraceId)
                .containsOnly(PARENT.substring(3, 35));
        assertThat(spans.get(0).getParentSpanId()).isEqualTo(spans.get(1).getSpanId());
        assertThat(spans.get(2).getParentSpanId()).isEqualTo(spans.get(0).getSpanId());
    }

    @Test
    void jobsThatSayWhereTheyBelongStayAsTheyAre() {
        NewJob own = new NewJob("low", under(PARENT), NOW);
        NewJob odd = new NewJob("low", "no JSON".getBytes(UTF_8), null);
        sink.enqueue(List.of(own, odd));

        assertThat(stored).containsExactly(own, odd);
        assertThat(exporter.getFinishedSpanItems()).isEmpty();
    }

    @Test
    void aRefusalIsAnErrorAndIsRaised() {
        JobSink refusing =
                new TracedSink(
                        jobs -> {
                            throw new IllegalStateException("full");
                        },
                        tracer);

        assertThatThrownBy(() -> refusing.enqueue(List.of(job("")))).hasMessage("full");
        assertThat(refusing.enqueueEach(List.of(List.of(job("")))).getFirst()).hasMessage("full");
        assertThat(exporter.getFinishedSpanItems())
                .hasSize(2)
                .allMatch(span -> span.getStatus().getStatusCode() == StatusCode.ERROR);
    }

    @Test
    void whereNobodyTracesThereIsNothing() {
        assertThat(Traces.ofRuns("sidekiq", () -> NOW)).isNull();
        assertThat(Traces.of(sink)).isSameAs(sink);
    }
}
