package dev.mawashi.web;

import dev.mawashi.cron.CronReader;
import dev.mawashi.desk.Desks;
import dev.mawashi.http.Call;
import dev.mawashi.pages.CronPage;
import dev.mawashi.pages.SchedulePage;
import dev.mawashi.pages.Shell;
import java.util.Optional;

/// Pages of schedules.
final class CronPages {
    private final Desks desks;

    CronPages(Desks desks) {
        this.desks = desks;
    }

    CronPage all(Shell shell) {
        return CronPage.of(shell, desks.read(desk -> new CronReader(desk.connection()).all()));
    }

    /// @return empty when no server has it
    Optional<SchedulePage> one(Shell shell, Call call) {
        String name = call.path().getOrDefault("name", "");
        return desks.read(desk -> new CronReader(desk.connection()).one(name))
                .map(view -> new SchedulePage(shell, view));
    }
}
