package dev.mawashi.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// What one process took to read a text by lines, several times over.
///
/// @param bytes of the text
/// @param seconds of each pass, in order
record LinesRun(long bytes, List<Double> seconds) {
    private static final double MEGABYTE = 1e6;

    LinesRun {
        seconds = List.copyOf(seconds);
    }

    /// Starts a process and lets it read.
    ///
    /// @throws BenchFailure when it fails, or has not found every line and byte
    static LinesRun of(Contestant contestant, LinesText text) throws InterruptedException {
        List<String> command = new ArrayList<>(Programs.tether());
        command.addAll(contestant.command());
        command.addAll(List.of(text.file().toString(), Integer.toString(contestant.jobs())));
        try {
            Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getOutputStream().close();
            String output =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            List<String> lines = output.lines().toList();
            String counted = text.lines() + " " + text.bytes();
            if (process.waitFor() != 0 || lines.isEmpty() || !lines.getLast().equals(counted)) {
                throw new BenchFailure(
                        "%s should have counted %s and said: %s"
                                .formatted(contestant.name(), counted, output.strip()));
            }
            List<Double> seconds =
                    lines.stream().limit(lines.size() - 1L).map(Double::valueOf).toList();
            return new LinesRun(text.bytes(), seconds);
        } catch (IOException e) {
            throw new BenchFailure(
                    "cannot start " + contestant.command().getFirst() + ": " + e.getMessage(), e);
        }
    }

    /// MB a second of the first pass, in which a JVM compiles.
    double first() {
        return bytes / MEGABYTE / seconds.getFirst();
    }

    /// MB a second of the median pass of the second half.
    double warm() {
        List<Double> later = seconds.subList(seconds.size() / 2, seconds.size());
        return bytes / MEGABYTE / Spread.of(later, Double::doubleValue).median();
    }

    /// MB a second over all passes.
    double whole() {
        double sum = seconds.stream().mapToDouble(Double::doubleValue).sum();
        return bytes / MEGABYTE * seconds.size() / sum;
    }
}
