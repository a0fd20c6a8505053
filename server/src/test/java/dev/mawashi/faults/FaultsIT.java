package dev.mawashi.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The quick scenarios of the catalogue; `.ci/faults` runs all of them.
@Tag("long")
final class FaultsIT {
    /// For a machine that does much else meanwhile.
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    @TempDir Path folder;

    static List<Scenario> quick() {
        return Catalogue.scenarios().stream().filter(Scenario::isQuick).toList();
    }

    /// Servers of MRI start with a quarter of JRuby's CPU; `.ci/faults` has each with its own
    /// runner.
    private static String cheapRunner(Scenario scenario) {
        return scenario.runners().contains("mri") ? "mri" : scenario.runner();
    }

    @ParameterizedTest
    @MethodSource("quick")
    void nothingIsLost(Scenario scenario) throws IOException {
        Rig.Settings settings =
                new Rig.Settings(cheapRunner(scenario), false, 1, 2, 0.5, 0, PATIENCE);

        Run run = Run.of(scenario, settings, folder);

        assertThat(run.broken()).as(() -> Row.of(List.of(run)).line() + run.logs()).isEmpty();
    }
}
