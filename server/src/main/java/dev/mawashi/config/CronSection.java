package dev.mawashi.config;

import dev.mawashi.client.JobRequest;
import dev.mawashi.cron.CronFile;
import dev.mawashi.cron.CronSchedule;
import dev.mawashi.cron.Missed;
import dev.mawashi.wire.JsonFields;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The section `cron` of `config/mawashi.yml`: jobs that come again and again, as sidekiq-cron's
/// `config/schedule.yml` has them.
final class CronSection {
    private CronSection() {}

    /// A schedule that cannot be understood, or that never comes, is noted as a mistake.
    ///
    /// @param top the whole file
    static CronFile read(ConfigMap top) {
        List<CronSchedule> schedules = new ArrayList<>();
        top.maps("cron")
                .forEach((name, map) -> {
                    CronSchedule schedule = schedule(name, map);
                    if (schedule != null) {
                        schedules.add(schedule);
                    }
                });
        return new CronFile(schedules);
    }

    /// Null where it has a mistake.
    private static @Nullable CronSchedule schedule(String name, ConfigMap map) {
        String cron = map.text("cron");
        String jobClass = map.text("class");
        String args = map.json("args");
        String queue = map.text("queue");
        String retry = map.text("retry", CronSection::requireRetry);
        String description = map.text("description");
        String zone = map.text("zone");
        String missed = map.text("missed");
        Boolean isActiveJob = map.flag("active_job");
        map.close();
        if (!map.isSound()) {
            return null;
        }
        if (cron == null || jobClass == null) {
            map.refuse(
                    cron == null
                            ? "has no \"cron\": write a line such as \"*/5 * * * *\""
                            : "has no \"class\": name the job's");
            return null;
        }
        try {
            return new CronSchedule(
                    name,
                    cron,
                    Objects.requireNonNullElse(zone, CronSchedule.ZONE),
                    jobClass,
                    Objects.requireNonNullElse(queue, ""),
                    Objects.requireNonNullElse(args, "[]"),
                    Boolean.TRUE.equals(isActiveJob),
                    missed == null ? Missed.ONE : Missed.of(missed),
                    Objects.requireNonNullElse(description, ""),
                    options(retry));
        } catch (IllegalArgumentException wrong) {
            map.refuse(String.valueOf(wrong.getMessage()));
            return null;
        }
    }

    private static void requireRetry(String retry) {
        JobRequest _ = new JobRequest("Any", JobRequest.QUEUE, "[]", null, retry, List.of());
    }

    private static String options(@Nullable String retry) {
        JsonFields options = new JsonFields();
        return retry == null ? options.toString() : options.json("retry", retry).toString();
    }
}
