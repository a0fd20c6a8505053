package dev.mawashi.tracing;

import dev.mawashi.execute.Tracing;
import dev.mawashi.job.Outcome;
import dev.mawashi.wire.Payload;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Scope;
import java.lang.System.Logger.Level;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A consumer's span for each run, the child of the one in which its job was enqueued. Names and
/// attributes are those of OpenTelemetry's conventions for messaging.
final class RunSpans implements Tracing {
    static final AttributeKey<String> SYSTEM = AttributeKey.stringKey("messaging.system");
    static final AttributeKey<String> OPERATION =
            AttributeKey.stringKey("messaging.operation.name");
    static final AttributeKey<String> TYPE = AttributeKey.stringKey("messaging.operation.type");
    static final AttributeKey<String> QUEUE = AttributeKey.stringKey("messaging.destination.name");
    static final AttributeKey<String> ID = AttributeKey.stringKey("messaging.message.id");
    private static final AttributeKey<Long> RETRIES = AttributeKey.longKey("mawashi.retry_count");
    private static final AttributeKey<String> OUTCOME = AttributeKey.stringKey("mawashi.outcome");
    private static final AttributeKey<String> ERROR = AttributeKey.stringKey("error.type");
    private static final AttributeKey<String> EXCEPTION = AttributeKey.stringKey("exception.type");
    private static final AttributeKey<String> MESSAGE = AttributeKey.stringKey("exception.message");
    private static final AttributeKey<String> STACK =
            AttributeKey.stringKey("exception.stacktrace");
    private static final int MESSAGE_CHARACTERS_MAX = 1_000;
    private static final int BACKTRACE_LINES_MAX = 50;

    private static final System.Logger LOG = System.getLogger(RunSpans.class.getName());
    private static final Span NO_SPAN = outcome -> {};

    private final Tracer tracer;
    private final String system;
    private final AttributeKey<String> classKey;
    private final InstantSource clock;

    RunSpans(Tracer tracer, String system, InstantSource clock) {
        this.tracer = tracer;
        this.system = system;
        this.clock = clock;
        classKey = classKey(system);
    }

    /// As the gems for both name it.
    static AttributeKey<String> classKey(String system) {
        return AttributeKey.stringKey("messaging." + system + ".job_class");
    }

    /// The scope is closed by whoever ends the span, on the same thread.
    @Override
    @SuppressWarnings("MustBeClosedChecker")
    public Span begin(String queue, byte[] payload) {
        try {
            io.opentelemetry.api.trace.Span span = builder(queue, payload).startSpan();
            Scope scope = span.makeCurrent();
            return outcome -> {
                scope.close();
                conclude(span, outcome);
                span.end();
            };
        } catch (RuntimeException failure) {
            return untold(failure);
        }
    }

    @Override
    public void ran(String queue, byte[] payload, long nanos, Outcome outcome) {
        try {
            Instant end = clock.instant();
            io.opentelemetry.api.trace.Span span =
                    builder(queue, payload).setStartTimestamp(end.minusNanos(nanos)).startSpan();
            conclude(span, outcome);
            span.end(end);
        } catch (RuntimeException failure) {
            Span _ = untold(failure);
        }
    }

    /// A tracer that fails must change no outcome.
    private static Span untold(RuntimeException failure) {
        LOG.log(Level.DEBUG, "a run cannot be traced", failure);
        return NO_SPAN;
    }

    private SpanBuilder builder(String queue, byte[] bytes) {
        Payload payload = Payload.tryParse(bytes);
        String jobClass = payload == null ? null : payload.jobClass();
        SpanBuilder builder =
                tracer.spanBuilder("process " + (jobClass == null ? queue : jobClass))
                        .setParent(TraceFields.context(payload))
                        .setSpanKind(SpanKind.CONSUMER)
                        .setAttribute(SYSTEM, system)
                        .setAttribute(OPERATION, "process")
                        .setAttribute(TYPE, "process")
                        .setAttribute(QUEUE, queue);
        if (jobClass != null) {
            builder.setAttribute(classKey, jobClass);
        }
        String jid = payload == null ? null : payload.text("jid");
        if (jid != null) {
            builder.setAttribute(ID, jid);
        }
        if (payload != null) {
            payload.integer("retry_count")
                    .ifPresent(count -> builder.setAttribute(RETRIES, (long) count + 1));
        }
        return builder;
    }

    private static void conclude(io.opentelemetry.api.trace.Span span, Outcome outcome) {
        switch (outcome) {
            case Outcome.Succeeded _ -> {
                // A span without a status is well.
            }
            case Outcome.Failed failed -> fail(span, failed);
            case Outcome.Malformed malformed -> {
                span.setAttribute(ERROR, "malformed");
                span.setStatus(StatusCode.ERROR, malformed.reason());
            }
            case Outcome.Interrupted _ -> span.setAttribute(OUTCOME, "interrupted");
            case Outcome.Cancelled _ -> span.setAttribute(OUTCOME, "cancelled");
        }
    }

    private static void fail(io.opentelemetry.api.trace.Span span, Outcome.Failed failed) {
        String message = shortened(failed.message());
        List<String> lines = failed.backtrace();
        @Nullable String stack =
                lines.isEmpty()
                        ? null
                        : String.join(
                                "\n",
                                lines.subList(0, Math.min(lines.size(), BACKTRACE_LINES_MAX)));
        Attributes about =
                Attributes.builder()
                        .put(EXCEPTION, failed.errorClass())
                        .put(MESSAGE, message)
                        .put(STACK, stack)
                        .build();
        span.addEvent("exception", about);
        span.setAttribute(ERROR, failed.errorClass());
        span.setStatus(StatusCode.ERROR, message);
    }

    private static String shortened(String text) {
        return text.substring(0, Math.min(text.length(), MESSAGE_CHARACTERS_MAX));
    }
}
