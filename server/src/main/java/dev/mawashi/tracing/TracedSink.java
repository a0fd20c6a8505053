package dev.mawashi.tracing;

import dev.mawashi.client.JobSink;
import dev.mawashi.client.NewJob;
import dev.mawashi.wire.Payload;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A producer's span for all that a caller enqueues together, whose context goes along in the
/// payloads. Jobs that say already where they belong, as those of an app with OpenTelemetry's own
/// gem do, stay as they are.
final class TracedSink implements JobSink {
    private static final AttributeKey<Long> COUNT =
            AttributeKey.longKey("messaging.batch.message_count");
    private static final String SIDEKIQ = "sidekiq";

    private final JobSink sink;
    private final Tracer tracer;

    TracedSink(JobSink sink, Tracer tracer) {
        this.sink = sink;
        this.tracer = tracer;
    }

    /// Jobs under way, with the span of each.
    ///
    /// @param span null when it has none
    private record Sending(List<NewJob> jobs, @Nullable Span span) {
        void end(@Nullable RuntimeException refusal) {
            if (span != null) {
                if (refusal != null) {
                    span.recordException(refusal);
                    span.setStatus(StatusCode.ERROR);
                }
                span.end();
            }
        }
    }

    @Override
    public void enqueue(List<NewJob> jobs) {
        Sending sending = begin(jobs);
        try {
            sink.enqueue(sending.jobs());
            sending.end(null);
        } catch (RuntimeException refusal) {
            sending.end(refusal);
            throw refusal;
        }
    }

    @Override
    public List<@Nullable RuntimeException> enqueueEach(List<List<NewJob>> callers) {
        List<Sending> all = callers.stream().map(this::begin).toList();
        List<@Nullable RuntimeException> refusals =
                sink.enqueueEach(all.stream().map(Sending::jobs).toList());
        for (int i = 0; i < all.size(); i++) {
            all.get(i).end(refusals.get(i));
        }
        return refusals;
    }

    private Sending begin(List<NewJob> jobs) {
        List<NewJob> marked = new ArrayList<>(jobs.size());
        Span span = null;
        for (NewJob job : jobs) {
            Payload payload = Payload.tryParse(job.payload());
            if (payload == null || payload.text(TraceFields.PARENT) != null) {
                marked.add(job);
                continue;
            }
            if (span == null) {
                span = span(job, payload, jobs.size());
            }
            byte[] bytes = TraceFields.with(payload, Context.current().with(span));
            marked.add(new NewJob(job.queue(), bytes, job.at()));
        }
        return new Sending(marked, span);
    }

    private Span span(NewJob job, Payload payload, int number) {
        String jobClass = payload.jobClass();
        SpanBuilder builder =
                tracer.spanBuilder("send " + (jobClass == null ? job.queue() : jobClass))
                        .setSpanKind(SpanKind.PRODUCER)
                        .setAttribute(RunSpans.SYSTEM, SIDEKIQ)
                        .setAttribute(RunSpans.OPERATION, "send")
                        .setAttribute(RunSpans.TYPE, "send")
                        .setAttribute(RunSpans.QUEUE, job.queue());
        if (jobClass != null) {
            builder.setAttribute(RunSpans.classKey(SIDEKIQ), jobClass);
        }
        String jid = payload.text("jid");
        if (number > 1) {
            builder.setAttribute(COUNT, (long) number);
        } else if (jid != null) {
            builder.setAttribute(RunSpans.ID, jid);
        }
        return builder.startSpan();
    }
}
