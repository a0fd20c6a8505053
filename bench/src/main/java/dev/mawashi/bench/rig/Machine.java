package dev.mawashi.bench.rig;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;

/// What a benchmark ran on.
public record Machine(
        int cores, String processor, String system, String jdk, String mawashi, String jruby) {
    private static final String VERSIONS = "/dev/mawashi/cli/version.properties";

    public static Machine here() {
        Properties versions = versions();
        return new Machine(
                coresHere(),
                processorHere(),
                System.getProperty("os.name") + " " + System.getProperty("os.version"),
                Runtime.version().toString(),
                versions.getProperty("version", "unknown"),
                versions.getProperty("jruby", "unknown"));
    }

    public static int coresHere() {
        return Runtime.getRuntime().availableProcessors();
    }

    /// In one line.
    public String describe() {
        return "%d cores, %s, %s, JDK %s, JRuby %s".formatted(cores, processor, system, jdk, jruby);
    }

    private static Properties versions() {
        Properties versions = new Properties();
        try (InputStream file = Machine.class.getResourceAsStream(VERSIONS)) {
            if (file != null) {
                versions.load(file);
            }
            return versions;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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
