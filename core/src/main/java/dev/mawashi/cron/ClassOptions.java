package dev.mawashi.cron;

import dev.mawashi.client.JobRequest;
import dev.mawashi.wire.JsonFields;
import dev.mawashi.wire.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// The options of a job class for its jobs, as far as the app knows them.
///
/// @param queue where they go
/// @param fields what else their payloads have: a JSON object
/// @param isActiveJob whether it is one of Active Job's classes
/// @param problem why nothing is known of it; "" where all is
public record ClassOptions(String queue, String fields, boolean isActiveJob, String problem) {
    /// @throws IllegalArgumentException when the queue is none
    public ClassOptions {
        JobRequest _ = new JobRequest("Any", queue, "[]", null, JobRequest.RETRY, List.of());
    }

    /// Of a class that has no say: Sidekiq's defaults.
    public static final ClassOptions NONE = new ClassOptions(JobRequest.QUEUE, "{}", false, "");

    /// Of a class of which nothing is known: Sidekiq's defaults.
    public static ClassOptions unknown(String problem) {
        return new ClassOptions(JobRequest.QUEUE, "{}", false, problem);
    }

    /// Reads a JSON array as `class_options.rb` writes it.
    public static List<ClassOptions> read(String json) {
        List<ClassOptions> all = new ArrayList<>();
        for (String element : JsonObject.elements(json)) {
            all.add(of(JsonObject.of(element)));
        }
        return all;
    }

    private static ClassOptions of(JsonObject json) {
        String problem = json.text("problem");
        if (!problem.isEmpty()) {
            return unknown(problem);
        }
        try {
            return new ClassOptions(
                    json.text("queue"),
                    Objects.requireNonNullElse(json.raw("options"), "{}"),
                    json.isTrue("active_job"),
                    "");
        } catch (IllegalArgumentException wrong) {
            return unknown(String.valueOf(wrong.getMessage()));
        }
    }

    /// Of which something is known.
    public boolean isKnown() {
        return problem.isEmpty();
    }

    /// As a line of the array that `read` reads.
    public String json() {
        return isKnown()
                ? new JsonFields()
                        .text("queue", queue)
                        .json("options", fields)
                        .flag("active_job", isActiveJob)
                        .toString()
                : new JsonFields().text("problem", problem).toString();
    }
}
