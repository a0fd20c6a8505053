package dev.mawashi.tracing;

import dev.mawashi.client.JobSink;
import dev.mawashi.execute.Tracing;
import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.trace.Tracer;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/// The spans of this process for somebody who traces it, if anybody does. Looked at once, when a
/// server or command is made: an agent is there before them.
public final class Traces {
    private static final String SCOPE = "dev.mawashi";

    /// With it, the SDK on the class path sets itself up when somebody asks for it.
    private static final String AUTOCONFIGURED = "otel.java.global-autoconfigure.enabled";

    private Traces() {}

    /// The spans of runs; null when nobody traces.
    ///
    /// @param system whose jobs they are: `sidekiq` or `resque`
    public static @Nullable Tracing ofRuns(String system, InstantSource clock) {
        Tracer tracer = tracer();
        return tracer == null ? null : new RunSpans(tracer, system, clock);
    }

    /// A sink that also makes a span of what goes into it; the sink itself when nobody traces.
    public static JobSink of(JobSink sink) {
        Tracer tracer = tracer();
        return tracer == null ? sink : new TracedSink(sink, tracer);
    }

    private static @Nullable Tracer tracer() {
        // Only asked for where it is there: to ask would keep others from setting it later.
        boolean isThere = GlobalOpenTelemetry.isSet() || Boolean.getBoolean(AUTOCONFIGURED);
        return isThere ? GlobalOpenTelemetry.getTracer(SCOPE) : null;
    }
}
