package dev.mawashi.pages;

import dev.mawashi.cron.CronReader;
import java.util.List;

/// All schedules.
///
/// @param more how many there are beyond those
public record CronPage(Shell shell, List<CronReader.View> schedules, int more) {
    private static final int MOST = 500;

    public CronPage {
        schedules = List.copyOf(schedules);
    }

    /// The first of these.
    public static CronPage of(Shell shell, List<CronReader.View> all) {
        List<CronReader.View> first = all.subList(0, Math.min(MOST, all.size()));
        return new CronPage(shell, first, all.size() - first.size());
    }
}
