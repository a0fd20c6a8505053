package dev.mawashi.bench.rig;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The counts of a run's jobs: reads the files that the app's processes append to, a line `<time in
/// ns> <jobs done>` every few milliseconds, or `<time in ns> +1` a job (tally.rb).
public final class Tally {
    private static final int BYTES_READ_MAX = 1 << 20;

    private final Path folder;
    private final Map<Path, Source> sources = new LinkedHashMap<>();

    /// The number of jobs that all processes had done at a time.
    ///
    /// @param nanos since 1970
    public record Moment(long nanos, long done) {}

    /// One process's file, read up to `offset`.
    private static final class Source {
        private final List<Moment> moments = new ArrayList<>();
        private long offset;

        void add(String line) {
            String[] words = line.split(" ", 2);
            long before = words[1].startsWith("+") ? done() : 0;
            moments.add(new Moment(Long.parseLong(words[0]), before + Long.parseLong(words[1])));
        }

        long done() {
            return moments.isEmpty() ? 0 : moments.getLast().done();
        }
    }

    Tally(Path folder) {
        this.folder = folder;
    }

    /// Reads what was written since the last call.
    ///
    /// @return jobs done so far
    public long read() {
        long done = 0;
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*.tally")) {
            for (Path file : files) {
                Source source = sources.computeIfAbsent(file, _ -> new Source());
                readOn(file, source);
                done += source.done();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return done;
    }

    private static void readOn(Path path, Source source) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "r")) {
            file.seek(source.offset);
            byte[] bytes = new byte[(int) Math.min(BYTES_READ_MAX, file.length() - source.offset)];
            file.readFully(bytes);
            String text = new String(bytes, StandardCharsets.US_ASCII);
            String whole = text.substring(0, text.lastIndexOf('\n') + 1);
            whole.lines().forEach(source::add);
            source.offset += whole.length();
        }
    }

    /// Jobs of the process that did the fewest.
    long leastOfAProcess() {
        return sources.values().stream().mapToLong(Source::done).min().orElse(0);
    }

    /// The sums over all processes, in the order of time; the first is when work began.
    public List<Moment> moments() {
        record Line(Source source, Moment moment) {}
        List<Line> lines = new ArrayList<>();
        for (Source source : sources.values()) {
            source.moments.forEach(moment -> lines.add(new Line(source, moment)));
        }
        lines.sort(Comparator.comparingLong(line -> line.moment().nanos()));
        Map<Source, Long> latest = new LinkedHashMap<>();
        List<Moment> sums = new ArrayList<>();
        long sum = 0;
        for (Line line : lines) {
            Long before = latest.put(line.source(), line.moment().done());
            sum += line.moment().done() - (before == null ? 0 : before);
            sums.add(new Moment(line.moment().nanos(), sum));
        }
        return sums;
    }
}
