package dev.mawashi.acceptance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// What the jobs did, as they noted it themselves: reads what `ledger.rb` writes.
public final class Ledger {
    private final Path folder;
    private final Map<Path, Long> positions = new HashMap<>();
    private final List<Line> lines = new ArrayList<>();
    private final Map<String, Long> counts = new HashMap<>();
    private final Map<String, Map<String, Long>> jids = new HashMap<>();

    /// One step of a job.
    ///
    /// @param step `start`, `end`, `cut` (interrupted) or another word that `app.rb` notes
    /// @param subject the job's jid, or what else the step is about
    /// @param jobClass class of the job, "" where there is none
    /// @param rest what else stands in the line
    public record Line(long pid, String step, String subject, String jobClass, String rest) {}

    public Ledger(Path folder) {
        this.folder = folder;
    }

    /// How often a job class, in any process, came to a step.
    public long count(String step, String jobClass) {
        read();
        return counts.getOrDefault(step + " " + jobClass, 0L);
    }

    public List<Line> lines() {
        read();
        return List.copyOf(lines);
    }

    public List<Line> lines(String step) {
        return lines().stream().filter(line -> line.step().equals(step)).toList();
    }

    /// How often each job came to a step, by jid.
    public Map<String, Long> byJid(String step) {
        read();
        return Collections.unmodifiableMap(jids.getOrDefault(step, Map.of()));
    }

    /// How often each process, by pid, came to a step.
    public Map<Long, Long> byPid(String step) {
        return lines(step).stream()
                .collect(Collectors.groupingBy(Line::pid, Collectors.counting()));
    }

    private void read() {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*.log")) {
            for (Path file : files) {
                read(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Takes in the lines that are whole. A line is one write, but a reader may see the part of it
    /// that comes before a page's end first.
    private void read(Path file) throws IOException {
        long from = positions.getOrDefault(file, 0L);
        if (Files.size(file) == from) {
            return;
        }
        try (SeekableByteChannel channel = Files.newByteChannel(file)) {
            ByteBuffer bytes = ByteBuffer.allocate((int) (channel.size() - from));
            channel.position(from);
            while (bytes.hasRemaining() && channel.read(bytes) >= 0) {
                // Goes on until all is read.
            }
            int whole = bytes.position();
            while (whole > 0 && bytes.get(whole - 1) != '\n') {
                whole--;
            }
            positions.put(file, from + whole);
            long pid = Long.parseLong(file.getFileName().toString().replace(".log", ""));
            String text = new String(bytes.array(), 0, whole, StandardCharsets.UTF_8);
            text.lines().forEach(line -> add(pid, line));
        }
    }

    private void add(long pid, String text) {
        String[] words = (text + "    ").split(" ", 4);
        Line line = new Line(pid, words[0], words[1], words[2], words[3].strip());
        lines.add(line);
        jids.computeIfAbsent(line.step(), _ -> new HashMap<>())
                .merge(line.subject(), 1L, Long::sum);
        counts.merge(line.step() + " " + line.jobClass(), 1L, Long::sum);
    }
}
