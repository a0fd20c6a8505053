package dev.mawashi.faults;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/// What one run of a scenario has shown, as a line of the table.
///
/// @param found empty counts if it did not come to its end
/// @param broken promises; empty when all were kept
/// @param logs of all programs, for who looks into it
record Row(
        Scenario scenario,
        String server,
        Findings found,
        List<String> broken,
        Duration took,
        String logs) {
    private static final Findings NONE =
            new Findings(0, java.util.Set.of(), 0, 0, 0, 0, 0, 0, 0, Duration.ZERO);

    private static final int MESSAGE_MAX = 200;

    static final String HEAD =
            """
            | no. | what | by | jobs | lost | duplicated | overlapping | recovered | recovery | verdict |
            |---|---|---|---:|---:|---:|---:|---:|---:|---|\
            """;

    /// Runs a scenario in an empty folder.
    static Row of(Scenario scenario, Rig.Settings settings, Path folder) throws IOException {
        String server = settings.isSidekiq() ? "Sidekiq" : "Mawashi, " + settings.runner();
        long start = System.nanoTime();
        try (Rig rig = new Rig(folder, settings)) {
            Findings found = NONE;
            List<String> broken;
            try {
                Promise promise = scenario.plan().run(rig);
                found = rig.findings();
                broken = promise.broken(found);
            } catch (AssertionError | RuntimeException e) {
                broken = List.of("did not come to its end: " + brief(e));
            } catch (Exception e) {
                throw new IOException(e);
            }
            Duration took = Duration.ofNanos(System.nanoTime() - start);
            return new Row(scenario, server, found, broken, took, rig.logs());
        }
    }

    private static String brief(Throwable e) {
        String text = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
        return e.getClass().getSimpleName()
                + " "
                + text.substring(0, Math.min(text.length(), MESSAGE_MAX));
    }

    /// Sidekiq promises none of it, so it is not judged.
    String line() {
        boolean isPeer = server.equals("Sidekiq");
        return "| %s | %s | %s | %d | %d | %d | %d | %d | %s | %s |"
                .formatted(
                        scenario.number(),
                        scenario.what(),
                        server,
                        found.acknowledged(),
                        found.lost().size(),
                        found.duplicated(),
                        found.overlapping(),
                        found.recovered(),
                        found.recovery().isZero()
                                ? "-"
                                : String.format(
                                        Locale.ROOT, "%.1f s", found.recovery().toMillis() / 1e3),
                        broken.isEmpty()
                                ? "kept"
                                : (isPeer ? "" : "BROKEN: ") + String.join("; ", broken));
    }
}
