package dev.mawashi.bench;

import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/// The `./mawashi` of the checkout that this class was built in.
final class Launcher {
    private Launcher() {}

    /// The words before Mawashi's commands.
    static List<String> words() {
        Path launcher = checkout().resolve("mawashi");
        if (Files.isExecutable(launcher)) {
            return List.of(launcher.toString());
        }
        throw new BenchFailure("there is no " + launcher + ": call ./mawashi bench in a checkout");
    }

    static Path checkout() {
        try {
            Path built =
                    Path.of(
                            Launcher.class
                                    .getProtectionDomain()
                                    .getCodeSource()
                                    .getLocation()
                                    .toURI());
            // CHECKOUT/bench/target/mawashi-bench-VERSION.jar
            return Objects.requireNonNull(built.getParent()).resolve("../..").normalize();
        } catch (URISyntaxException e) {
            throw new BenchFailure("cannot tell where this was built: " + e.getMessage(), e);
        }
    }
}
