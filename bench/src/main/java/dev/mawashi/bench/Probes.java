package dev.mawashi.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// When the probe jobs of a run began: a line `<argument> <time in ns>` each (schedule.rb).
final class Probes {
    private Probes() {}

    /// One job.
    ///
    /// @param argument by which the harness knows it
    record Probe(long argument, long beganNanos) {}

    /// Those that have begun so far.
    static List<Probe> in(Path folder) {
        List<Probe> probes = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*.probes")) {
            for (Path file : files) {
                String text = Files.readString(file, StandardCharsets.US_ASCII);
                text.substring(0, text.lastIndexOf('\n') + 1)
                        .lines()
                        .map(line -> line.split(" ", 2))
                        .map(words -> new Probe(Long.parseLong(words[0]), Long.parseLong(words[1])))
                        .forEach(probes::add);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return probes;
    }
}
