package dev.mawashi.server;

import dev.mawashi.cron.CronSchedule;
import dev.mawashi.cron.Missed;
import dev.mawashi.ruby.AppSettings;
import dev.mawashi.wire.JsonObject;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// The schedules that an app's code declares with `config.periodic`, as apps of Sidekiq Enterprise
/// have it. Missed ticks are left out, as there (<https://github.com/sidekiq/sidekiq/issues/4893>).
final class PeriodicJobs {
    /// Begins their names, which end with the entry's hash: see `periodic/entry.rb`.
    static final String PREFIX = "periodic:";

    private PeriodicJobs() {}

    /// @throws StartFailure with the place, the entry and the reason when one cannot be understood:
    ///   as in Enterprise, where `register` raises
    static List<CronSchedule> of(AppSettings app) {
        List<CronSchedule> schedules = new ArrayList<>();
        for (String element : JsonObject.elements(app.periodic())) {
            schedules.add(of(JsonObject.of(element)));
        }
        return schedules;
    }

    private static CronSchedule of(JsonObject entry) {
        String zone = entry.text("zone");
        try {
            return new CronSchedule(
                    entry.text("name"),
                    entry.text("cron"),
                    zone.isEmpty() ? ZoneId.systemDefault().getId() : zone,
                    entry.text("class"),
                    entry.text("queue"),
                    Objects.requireNonNullElse(entry.raw("args"), "[]"),
                    false,
                    Missed.SKIP,
                    entry.text("description"),
                    Objects.requireNonNullElse(entry.raw("options"), "{}"));
        } catch (IllegalArgumentException wrong) {
            throw new StartFailure(entry.text("label") + ": " + wrong.getMessage());
        }
    }
}
