package dev.mawashi.tracing;

import dev.mawashi.wire.Json;
import dev.mawashi.wire.Payload;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The fields of a payload that say to which trace a job belongs: `traceparent` and `tracestate`,
/// as W3C has them for headers and OpenTelemetry's gem for Sidekiq writes them.
final class TraceFields {
    static final String PARENT = "traceparent";

    private static final W3CTraceContextPropagator FORM = W3CTraceContextPropagator.getInstance();

    private static final TextMapGetter<Payload> FIELDS =
            new TextMapGetter<>() {
                @Override
                public Iterable<String> keys(Payload payload) {
                    return List.of(PARENT);
                }

                @Override
                public @Nullable String get(@Nullable Payload payload, String field) {
                    return payload == null ? null : payload.text(field);
                }
            };

    private TraceFields() {}

    /// The context in which a job was enqueued; the root where its payload names none that can be.
    static Context context(@Nullable Payload payload) {
        return payload == null ? Context.root() : FORM.extract(Context.root(), payload, FIELDS);
    }

    /// A payload that says it was enqueued in a context.
    static byte[] with(Payload payload, Context context) {
        Map<String, String> fields = new LinkedHashMap<>();
        FORM.inject(
                context,
                fields,
                (map, name, value) -> {
                    if (map != null) {
                        map.put(name, Json.quote(value));
                    }
                });
        return payload.with(fields);
    }
}
