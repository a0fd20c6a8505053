package dev.mawashi.bench.rig;

import dev.mawashi.cli.Version;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// The machine that a benchmark ran on.
public record Machine(
        int cores, String processor, String system, String jdk, String mawashi, String jruby) {
    public static Machine here() {
        Version version = Version.ofThisBuild();
        return new Machine(
                coresHere(),
                processorHere(),
                System.getProperty("os.name") + " " + System.getProperty("os.version"),
                Version.jdk(),
                version.mawashi(),
                version.jruby());
    }

    public static int coresHere() {
        return Runtime.getRuntime().availableProcessors();
    }

    /// In one line.
    public String describe() {
        return "%s cores, %s, %s, JDK %s, JRuby %s".formatted(cores, processor, system, jdk, jruby);
    }

    private static String processorHere() {
        try {
            return Files.readAllLines(Path.of("/proc/cpuinfo")).stream()
                    .filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse(System.getProperty("os.arch"));
        } catch (IOException _) {
            return System.getProperty("os.arch"); // No Linux.
        }
    }
}
