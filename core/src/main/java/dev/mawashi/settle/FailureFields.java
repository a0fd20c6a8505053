package dev.mawashi.settle;

import dev.mawashi.broker.Lease;
import dev.mawashi.job.Outcome;
import dev.mawashi.job.RetryHint;
import dev.mawashi.wire.Expiry;
import dev.mawashi.wire.Json;
import dev.mawashi.wire.Payload;
import dev.mawashi.wire.TimeStyle;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.zip.DeflaterOutputStream;

/// The fields that a failure adds to a payload or changes in it, in the order in which Sidekiq's
/// `JobRetry` sets them (docs/formats/sidekiq.md, "Failure fields").
final class FailureFields {
    private static final int MESSAGE_CHARS_MAX = 10_000;

    /// Ruby's `Base64.encode64`.
    private static final Base64.Encoder LINES = Base64.getMimeEncoder(60, new byte[] {'\n'});

    private final RetryRules rules;
    private final InstantSource clock;

    FailureFields(RetryRules rules, InstantSource clock) {
        this.rules = rules;
        this.clock = clock;
    }

    /// @param count the failure's retry count, 0 for the first
    Map<String, String> of(Payload payload, Lease lease, Outcome.Failed failed, int count) {
        Map<String, String> fields = new LinkedHashMap<>();
        String retry = payload.raw("retry");
        if (retry == null || retry.equals("null")) {
            fields.put("retry", ofClass(failed.hint().retry()));
        }
        String retryQueue = payload.text("retry_queue");
        fields.put("queue", Json.quote(retryQueue == null ? lease.queue() : retryQueue));
        describe(fields, failed);
        // A retry by hand takes one off the count, so that 0 does not always mean the first
        // failure.
        fields.put(payload.isTruthy("retry_count") ? "retried_at" : "failed_at", now(payload));
        fields.put("retry_count", Integer.toString(count));
        if (!payload.isTruthy(Expiry.FIELD)) {
            Expiry.of(payload)
                    .ifPresent(end ->
                            fields.put(
                                    Expiry.FIELD,
                                    TimeStyle.of(payload, rules.times()).format(end)));
        }
        if (payload.isTruthy("backtrace") && !failed.backtrace().isEmpty()) {
            fields.put("error_backtrace", Json.quote(packed(kept(payload, failed))));
        }
        return fields;
    }

    /// What a job gets that is held. No try counts: it has not failed. Sidekiq's page reads
    /// `failed_at`.
    Map<String, String> held(Payload payload, Lease lease, Outcome.Failed failed) {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("queue", Json.quote(lease.queue()));
        describe(fields, failed);
        if (!payload.isTruthy("failed_at")) {
            fields.put("failed_at", now(payload));
        }
        return fields;
    }

    private static void describe(Map<String, String> fields, Outcome.Failed failed) {
        fields.put("error_message", Json.quote(shortened(failed.message())));
        fields.put("error_class", named(failed.errorClass()));
    }

    private String now(Payload payload) {
        return TimeStyle.of(payload, rules.times()).format(clock.instant());
    }

    /// A class without a name has none in the payload either.
    private static String named(String errorClass) {
        return errorClass.startsWith("#<Class:") ? "null" : Json.quote(errorClass);
    }

    /// What the class says of `retry`, which from now on is the job's own.
    private static String ofClass(RetryHint.Retry retry) {
        return retry.limit().isPresent()
                ? Integer.toString(retry.limit().getAsInt())
                : Boolean.toString(retry.isOn());
    }

    private static String shortened(String message) {
        if (message.codePointCount(0, message.length()) <= MESSAGE_CHARS_MAX) {
            return message;
        }
        return message.substring(0, message.offsetByCodePoints(0, MESSAGE_CHARS_MAX));
    }

    private static List<String> kept(Payload payload, Outcome.Failed failed) {
        OptionalInt lines = payload.integer("backtrace");
        List<String> all = failed.backtrace();
        return lines.isEmpty() ? all : all.subList(0, Math.clamp(lines.getAsInt(), 0, all.size()));
    }

    /// Lines as Base64 of a zlib stream of a JSON array.
    private String packed(List<String> lines) {
        String json = "[" + String.join(",", lines.stream().map(Json::quote).toList()) + "]";
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DeflaterOutputStream zlib = new DeflaterOutputStream(bytes)) {
            zlib.write(json.getBytes(StandardCharsets.UTF_8));
        } catch (java.io.IOException e) {
            throw new IllegalStateException("a byte array cannot fail", e);
        }
        return switch (rules.backtraces()) {
            case STRICT -> Base64.getEncoder().encodeToString(bytes.toByteArray());
            case WRAPPED -> LINES.encodeToString(bytes.toByteArray()) + "\n";
        };
    }
}
