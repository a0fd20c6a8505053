package dev.mawashi.cron;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.mawashi.client.JobRequest;
import dev.mawashi.wire.JsonFields;
import dev.mawashi.wire.JsonObject;
import dev.mawashi.wire.Payload;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.SequencedMap;

/// A job that comes again and again.
///
/// @param name of 1 to 200 characters; one schedule's in a Redis
/// @param cron the line, as it was written
/// @param zone of lines that name none
/// @param queue empty for its class's
/// @param args a JSON array
/// @param isActiveJob whether the class is one of Active Job's
/// @param missed which ticks are run that nobody decided in time
/// @param description for people; may be empty
/// @param options what else the job's payload has, in place of what its class says: a JSON object
public record CronSchedule(
        String name,
        String cron,
        String zone,
        String jobClass,
        String queue,
        String args,
        boolean isActiveJob,
        Missed missed,
        String description,
        String options)
        implements ShownSchedule {
    public static final String ZONE = "UTC";
    private static final int DESCRIPTION_MAX = 500;
    private static final String OPTIONS = "options";
    private static final String NO_OPTIONS = "{}";

    /// @throws IllegalArgumentException with the reason when a part is none, or the line's time
    ///   never comes
    public CronSchedule {
        Objects.requireNonNull(missed, "missed");
        // Refuses what is no class, no queue, or as a tag no name.
        String to = queue.isEmpty() ? JobRequest.QUEUE : queue;
        JobRequest _ = new JobRequest(jobClass, to, args, null, JobRequest.RETRY, List.of(name));
        if (!args.startsWith("[")
                || !JsonObject.of("{\"args\":[{\"arguments\":" + args + "}]}").isThere()) {
            throw new IllegalArgumentException("args are no list, or nested too deeply");
        }
        if (description.length() > DESCRIPTION_MAX) {
            throw new IllegalArgumentException("description has more than 500 characters");
        }
        if (!JsonObject.of(options).isThere()) {
            throw new IllegalArgumentException("options are no object");
        }
        CronLine _ = CronLine.of(cron, CronLine.zone(zone));
    }

    /// The same with what its class says of its jobs, where it says nothing itself.
    public CronSchedule with(ClassOptions known) {
        byte[] joined = Payload.parse(known.fields().getBytes(UTF_8)).with(fields());
        return new CronSchedule(
                name,
                cron,
                zone,
                jobClass,
                queue.isEmpty() ? known.queue() : queue,
                args,
                isActiveJob || known.isActiveJob(),
                missed,
                description,
                new String(joined, UTF_8));
    }

    /// The options, each as JSON by its name.
    SequencedMap<String, String> fields() {
        Payload read = Payload.parse(options.getBytes(UTF_8));
        SequencedMap<String, String> fields = new LinkedHashMap<>();
        read.names().forEach(field -> fields.put(field, String.valueOf(read.raw(field))));
        return fields;
    }

    public CronLine line() {
        return CronLine.of(cron, CronLine.zone(zone));
    }

    @Override
    public String usedZone() {
        return line().zone().getId();
    }

    @Override
    public String shownLine() {
        return line().zone().equals(CronLine.zone(zone)) ? cron + " " + zone : cron;
    }

    /// What tells its times from those of another line.
    String note() {
        return cron + " " + zone;
    }

    @Override
    public String gem() {
        return "";
    }

    @Override
    public List<Instant> next(Instant after, int most) {
        return line().next(after, most);
    }

    /// As servers keep it in Redis.
    JsonFields json() {
        JsonFields json = shown().json("args", args);
        return options.equals(NO_OPTIONS) ? json : json.json(OPTIONS, options);
    }

    /// @throws IllegalArgumentException when it is none
    static CronSchedule of(JsonObject json) {
        String args = json.raw("args");
        String options = json.raw(OPTIONS);
        return new CronSchedule(
                json.text("name"),
                json.text("cron"),
                json.text("zone"),
                json.text("class"),
                json.text("queue"),
                args == null ? "[]" : args,
                json.isTrue("active_job"),
                Missed.of(json.text("missed")),
                json.text("description"),
                options == null ? NO_OPTIONS : options);
    }
}
