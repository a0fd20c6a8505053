package dev.mawashi.bench.rig;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/// A text file of the `lines` benchmark, the same bytes on every machine.
///
/// @param form of its lines
/// @param file where it is
/// @param bytes its size
/// @param lines how many it has
public record LinesText(Form form, Path file, long bytes, long lines) {
    private static final long SEED = 1;

    /// The form of a text.
    public enum Form {
        /// Short lines: 20 to 60 bytes.
        TALL(20, 60),
        /// Long lines: 64 KiB.
        WIDE(64 * 1024, 64 * 1024);

        private final int least;
        private final int most;

        Form(int least, int most) {
            this.least = least;
            this.most = most;
        }

        /// As the table calls it.
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /// Writes whole lines until there are at least so many bytes.
    public static LinesText write(Path folder, Form form, long bytesAtLeast) {
        Path file = folder.resolve(form.word());
        Random random = new Random(SEED);
        long bytes = 0;
        long lines = 0;
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
            while (bytes < bytesAtLeast) {
                byte[] line = new byte[random.nextInt(form.least, form.most + 1)];
                for (int i = 0; i < line.length - 1; i++) {
                    line[i] = (byte) random.nextInt(' ', 127);
                }
                line[line.length - 1] = '\n';
                out.write(line);
                bytes += line.length;
                lines++;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new LinesText(form, file, bytes, lines);
    }

    /// Starts a process that reads it by lines, as often as a contestant has jobs.
    ///
    /// @return seconds of each pass, in order
    /// @throws BenchFailure when it fails, or has not found every line and byte
    public List<Double> read(Contestant contestant) throws InterruptedException {
        List<String> command = new ArrayList<>(contestant.command());
        command.addAll(List.of(file.toString(), Integer.toString(contestant.jobs())));
        List<String> printed = Programs.output(command).lines().toList();
        String counted = lines + " " + bytes;
        if (printed.isEmpty() || !printed.getLast().equals(counted)) {
            throw new BenchFailure(
                    "%s should have counted %s and said: %s"
                            .formatted(contestant.name(), counted, printed));
        }
        return printed.stream().limit(printed.size() - 1L).map(Double::valueOf).toList();
    }
}
