package dev.mawashi.bench.rig;

import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/// The checkout of the sources that this class was built in.
public final class Checkout {
    private static final String APPS = "bench/src/main/resources/dev/mawashi/bench/rig";

    private Checkout() {}

    /// The words before Mawashi's commands.
    public static List<String> launcher() {
        Path launcher = folder().resolve("mawashi");
        if (Files.isExecutable(launcher)) {
            return List.of(launcher.toString());
        }
        throw new BenchFailure("there is no " + launcher + ": call ./mawashi bench in a checkout");
    }

    /// A Ruby file of the benchmarks. A server finds the cache of an earlier start by the path of
    /// its app, so servers load it from here and not from a copy.
    ///
    /// @param name such as `noop.rb`
    public static Path app(String name) {
        return folder().resolve(APPS, name);
    }

    /// Where the `mawashi` gem has its Ruby files.
    static Path gem() {
        return folder().resolve("ruby/src/main/ruby");
    }

    private static Path folder() {
        try {
            var source = Checkout.class.getProtectionDomain().getCodeSource();
            // CHECKOUT/bench/target/mawashi-bench-VERSION.jar
            Path built = Path.of(source.getLocation().toURI());
            return Objects.requireNonNull(built.getParent()).resolve("../..").normalize();
        } catch (URISyntaxException e) {
            throw new BenchFailure("cannot find the checkout: " + e.getMessage(), e);
        }
    }
}
