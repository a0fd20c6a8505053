package dev.mawashi.enqueue;

import dev.mawashi.broker.AtomicEnqueuing;
import dev.mawashi.client.JobRequest;
import dev.mawashi.client.NewJob;
import dev.mawashi.client.PayloadForm;
import dev.mawashi.wire.Json;
import dev.mawashi.wire.JsonElements;
import dev.mawashi.wire.MalformedPayload;
import dev.mawashi.wire.Payload;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Reads the jobs out of a request's body: one JSON object, or an array of them. Nothing is guessed
/// and nothing left out: a field that is not known, or not of its kind, refuses all of them.
final class JobsBody {
    private static final Set<String> FIELDS =
            new TreeSet<>(Set.of("class", "args", "queue", "at", "retry", "tags"));

    private final PayloadForm form;

    JobsBody(PayloadForm form) {
        this.form = form;
    }

    /// The jobs in their order.
    ///
    /// @throws EnqueueRefusal when one of them is none; names the job where there are several
    List<NewJob> read(byte[] body) {
        String text = text(body).strip();
        if (!text.startsWith("[")) {
            return List.of(job(text, ""));
        }
        List<String> elements = elements(text);
        if (elements.isEmpty()) {
            throw EnqueueRefusal.wrong("the array has no job");
        }
        if (elements.size() > AtomicEnqueuing.JOBS_MAX) {
            throw new EnqueueRefusal(
                    413,
                    "a request has at most "
                            + AtomicEnqueuing.JOBS_MAX
                            + " jobs, this one "
                            + elements.size()
                            + ": send several, each with an Idempotency-Key of its own");
        }
        List<NewJob> jobs = new ArrayList<>();
        for (String element : elements) {
            jobs.add(job(element, "job " + (jobs.size() + 1) + " of " + elements.size() + ": "));
        }
        return jobs;
    }

    private static String text(byte[] body) {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString();
        } catch (CharacterCodingException _) {
            throw EnqueueRefusal.wrong("the body is not in UTF-8");
        }
    }

    private static List<String> elements(String text) {
        try {
            return JsonElements.of(text);
        } catch (MalformedPayload malformed) {
            throw noJson("", malformed);
        }
    }

    private static EnqueueRefusal noJson(String which, MalformedPayload malformed) {
        return EnqueueRefusal.wrong(
                which + "the body is no JSON object, nor an array of them: " + malformed.reason());
    }

    /// @param which names it, where there are several
    private NewJob job(String text, String which) {
        try {
            Payload fields = Payload.parse(text.getBytes(StandardCharsets.UTF_8));
            requireKnown(fields);
            return form.job(
                    new JobRequest(
                            text(fields, "class", null),
                            text(fields, "queue", JobRequest.QUEUE),
                            array(fields, "args"),
                            at(fields),
                            raw(fields, "retry", JobRequest.RETRY),
                            tags(fields)));
        } catch (MalformedPayload malformed) {
            throw noJson(which, malformed);
        } catch (IllegalArgumentException wrong) {
            throw EnqueueRefusal.wrong(which + wrong.getMessage());
        }
    }

    private static void requireKnown(Payload fields) {
        for (String name : fields.names()) {
            if (!FIELDS.contains(name)) {
                String shown = name.length() <= 50 ? name : name.substring(0, 50) + "…";
                throw new IllegalArgumentException(
                        "there is no field "
                                + Json.quote(shown)
                                + " here, only "
                                + String.join(", ", FIELDS));
            }
        }
    }

    private static String raw(Payload fields, String name, String other) {
        String raw = fields.raw(name);
        return raw == null ? other : raw;
    }

    /// @param other where there is no such field; null where there must be one
    private static String text(Payload fields, String name, @Nullable String other) {
        String text = fields.text(name);
        if (text == null && (fields.raw(name) != null || other == null)) {
            throw new IllegalArgumentException(
                    fields.raw(name) == null
                            ? name + " is missing: give the job's class, such as \"Report\""
                            : name + " is no JSON string");
        }
        return text == null ? String.valueOf(other) : text;
    }

    private static String array(Payload fields, String name) {
        String raw = raw(fields, name, "[]");
        if (!raw.startsWith("[")) {
            throw new IllegalArgumentException(name + " is no JSON array: write [42, \"x\"]");
        }
        return raw;
    }

    private static @Nullable Instant at(Payload fields) {
        String raw = fields.raw("at");
        if (raw == null) {
            return null;
        }
        if (raw.charAt(0) != '-' && !Character.isDigit(raw.charAt(0))) {
            throw new IllegalArgumentException(
                    "at is no number: give seconds since 1970, or leave it out for now");
        }
        return NewJob.moment(Double.parseDouble(raw));
    }

    private static List<String> tags(Payload fields) {
        List<String> tags = JsonElements.of(array(fields, "tags"));
        if (!tags.stream().allMatch(tag -> tag.startsWith("\""))) {
            throw new IllegalArgumentException("a tag is no JSON string");
        }
        return tags.stream().map(JsonElements::plain).toList();
    }
}
