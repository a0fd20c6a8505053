package dev.mawashi.cron;

import dev.mawashi.client.JobRequest;
import dev.mawashi.wire.JsonFields;
import dev.mawashi.wire.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

/// A job that comes again and again.
///
/// @param name of 1 to 200 characters; one schedule's in a Redis
/// @param cron the line, as it was written
/// @param zone of lines that name none
/// @param args a JSON array
/// @param isActiveJob whether the class is one of Active Job's
/// @param missed which ticks are run that nobody decided in time
/// @param description for people; may be empty
public record CronSchedule(
        String name,
        String cron,
        String zone,
        String jobClass,
        String queue,
        String args,
        boolean isActiveJob,
        Missed missed,
        String description)
        implements ShownSchedule {
    public static final String ZONE = "UTC";
    private static final int DESCRIPTION_MAX = 500;

    /// @throws IllegalArgumentException with the reason when a part is none, or the line's time
    ///   never comes
    public CronSchedule {
        Objects.requireNonNull(missed, "missed");
        // Refuses what is no class, no queue, or as a tag no name.
        JobRequest _ = new JobRequest(jobClass, queue, args, null, JobRequest.RETRY, List.of(name));
        if (!args.startsWith("[")
                || !JsonObject.of("{\"args\":[{\"arguments\":" + args + "}]}").isThere()) {
            throw new IllegalArgumentException("args are no list, or nested too deeply");
        }
        if (description.length() > DESCRIPTION_MAX) {
            throw new IllegalArgumentException("description has more than 500 characters");
        }
        CronLine _ = CronLine.of(cron, CronLine.zone(zone));
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
        return shown().json("args", args);
    }

    /// @throws IllegalArgumentException when it is none
    static CronSchedule of(JsonObject json) {
        String args = json.raw("args");
        return new CronSchedule(
                json.text("name"),
                json.text("cron"),
                json.text("zone"),
                json.text("class"),
                json.text("queue"),
                args == null ? "[]" : args,
                json.isTrue("active_job"),
                Missed.of(json.text("missed")),
                json.text("description"));
    }
}
