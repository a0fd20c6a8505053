package dev.mawashi.faults;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// One run of a scenario.
///
/// @param found empty counts if it did not come to its end
/// @param duplicatedMax how many jobs the fault may duplicate
/// @param broken promises; empty when all were kept
/// @param logs of all programs, for who looks into it
record Run(
        Scenario scenario,
        Rig.Settings settings,
        Findings found,
        int duplicatedMax,
        List<String> broken,
        Duration took,
        String logs) {
    private static final int MESSAGE_MAX = 200;

    /// Runs a scenario in an empty folder.
    static Run of(Scenario scenario, Rig.Settings settings, Path folder) throws IOException {
        long start = System.nanoTime();
        try (Rig rig = new Rig(folder, settings)) {
            Findings found = Findings.NONE;
            int most = 0;
            List<String> broken;
            try {
                Promise promise = scenario.plan().run(rig);
                found = rig.findings();
                most = promise.duplicatedMax(found);
                broken = promise.broken(found);
            } catch (AssertionError | RuntimeException e) {
                broken = List.of("did not come to its end: " + brief(e));
            } catch (Exception e) {
                throw new IOException(e);
            }
            Duration took = Duration.ofNanos(System.nanoTime() - start);
            return new Run(scenario, settings, found, most, broken, took, rig.logs());
        }
    }

    private static String brief(Throwable e) {
        String text = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
        return e.getClass().getSimpleName()
                + " "
                + text.substring(0, Math.min(text.length(), MESSAGE_MAX));
    }
}
