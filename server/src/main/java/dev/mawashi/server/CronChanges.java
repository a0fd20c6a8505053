package dev.mawashi.server;

import dev.mawashi.cron.CronFile;
import dev.mawashi.cron.CronSchedule;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The differences between the schedules that a server goes by and those of its file.
final class CronChanges {
    private static final int NAMES_MAX = 10;

    private CronChanges() {}

    /// A line for each kind of difference, with the names of its schedules, of many the first ones;
    /// none where both are the same.
    static List<String> of(CronFile before, CronFile now) {
        Map<String, CronSchedule> old = new LinkedHashMap<>();
        before.schedules().forEach(one -> old.put(one.name(), one));
        List<String> fresh = new ArrayList<>();
        List<String> changed = new ArrayList<>();
        for (CronSchedule one : now.schedules()) {
            CronSchedule was = old.remove(one.name());
            if (was == null) {
                fresh.add(one.name());
            } else if (!was.equals(one)) {
                changed.add(one.name());
            }
        }
        List<String> lines = new ArrayList<>();
        add(lines, "new", fresh);
        add(lines, "changed", changed);
        add(lines, "gone", List.copyOf(old.keySet()));
        if (lines.isEmpty() && !before.equals(now)) {
            lines.add("cron: the order of schedules");
        }
        return lines;
    }

    private static void add(List<String> lines, String kind, List<String> names) {
        if (names.isEmpty()) {
            return;
        }
        int more = names.size() - NAMES_MAX;
        String some = String.join(", ", names.subList(0, Math.min(names.size(), NAMES_MAX)));
        lines.add("cron: " + kind + ": " + some + (more > 0 ? " and " + more + " more" : ""));
    }
}
