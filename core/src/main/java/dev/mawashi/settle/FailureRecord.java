package dev.mawashi.settle;

import dev.mawashi.broker.Lease;
import dev.mawashi.job.Outcome;
import dev.mawashi.wire.Json;
import dev.mawashi.wire.JsonScanner;
import dev.mawashi.wire.MalformedPayload;
import dev.mawashi.wire.Payload;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.Locale;

/// A record of a failure list, byte for byte as Resque's `Failure::Redis` writes it
/// (docs/formats/resque.md, "Failures").
final class FailureRecord {
    /// Class of a payload that is none, so that Resque's page and API can read the record. A job of
    /// that name fails, should someone requeue it.
    private static final String NO_CLASS = "Mawashi::MalformedPayload";

    private final DateTimeFormatter times;
    private final InstantSource clock;
    private final String worker;

    FailureRecord(String worker, InstantSource clock, ZoneId zone) {
        this.worker = worker;
        this.clock = clock;
        times = DateTimeFormatter.ofPattern("yyyy/MM/dd HH:mm:ss zzz", Locale.US).withZone(zone);
    }

    byte[] of(Lease lease, Outcome.Failed failed) {
        ByteArrayOutputStream record = new ByteArrayOutputStream(lease.payload().length + 1_024);
        add(record, "{\"failed_at\":" + Json.quote(times.format(clock.instant())));
        add(record, ",\"payload\":");
        boolean isReadable = isObject(lease.payload());
        if (isReadable) {
            record.writeBytes(lease.payload());
        } else {
            add(record, standIn(lease.payload()));
        }
        add(record, ",\"exception\":" + Json.quote(failed.errorClass()));
        add(record, ",\"error\":" + Json.quote(failed.message()));
        add(record, ",\"backtrace\":[");
        add(record, String.join(",", failed.backtrace().stream().map(Json::quote).toList()));
        add(record, "],\"worker\":" + Json.quote(worker));
        add(record, ",\"queue\":" + Json.quote(lease.queue()));
        if (!isReadable) {
            // The exact bytes, for a requeue.
            add(record, ",\"payload_base64\":");
            add(record, Json.quote(Base64.getEncoder().encodeToString(lease.payload())));
        }
        add(record, "}");
        return record.toByteArray();
    }

    private static void add(ByteArrayOutputStream out, String text) {
        out.writeBytes(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String standIn(byte[] payload) {
        return "{\"class\":"
                + Json.quote(NO_CLASS)
                + ",\"args\":["
                + Json.quote(new String(payload, StandardCharsets.UTF_8))
                + "]}";
    }

    private static boolean isObject(byte[] payload) {
        try {
            return JsonScanner.requireOne(payload) == '{';
        } catch (MalformedPayload _) {
            return false;
        }
    }

    /// The class of the payload, as far as it can be read.
    static String jobClass(Lease lease) {
        Payload payload = Payload.tryParse(lease.payload());
        String found = payload == null ? null : payload.text("class");
        return found == null ? "" : found;
    }
}
