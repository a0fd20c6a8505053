package dev.mawashi.cli;

import dev.mawashi.figures.Stats.QueueStats;
import dev.mawashi.fleet.ProcessRecord;
import dev.mawashi.fleet.WorkView;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/// One frame of `mawashi top`: lines that fit a height and a width.
///
/// @param rows lines that there is room for
/// @param columns characters that a line has room for
record TopFrame(int rows, int columns) {
    /// For what is no terminal.
    static final TopFrame UNBOUNDED = new TopFrame(Integer.MAX_VALUE, Integer.MAX_VALUE);

    private static final int NAME_LENGTH = 40;

    /// From here on characters may take two columns.
    private static final int WIDE_FROM = 0x1100;

    private static final Comparator<QueueStats> DEEPEST_FIRST =
            Comparator.comparingLong(QueueStats::size).reversed();

    /// @param before the reading before, which the rates come from
    List<String> of(TopReading reading, @Nullable TopReading before) {
        List<String> lines = new ArrayList<>();
        lines.add("mawashi top  " + reading.at().truncatedTo(ChronoUnit.SECONDS));
        lines.addAll(totals(reading, before));
        List<List<String>> parts = new ArrayList<>();
        parts.add(queues(reading.stats().queues()));
        parts.add(processes(reading.processes()));
        parts.add(jobs(reading.work(), reading.at()));
        parts.removeIf(List::isEmpty);
        for (int i = 0; i < parts.size(); i++) {
            // What one part leaves over, the next ones have.
            int share = Math.max(0, rows - lines.size()) / (parts.size() - i);
            lines.addAll(fitted(parts.get(i), share));
        }
        return cut(lines);
    }

    /// The frame while Redis does not answer.
    ///
    /// @param last what it said last
    List<String> withTrouble(String trouble, @Nullable TopReading last) {
        List<String> lines = new ArrayList<>();
        lines.add("no figures now, trying again: " + TextTable.printable(trouble));
        if (last != null) {
            lines.addAll(of(last, null));
        }
        return cut(lines);
    }

    private static List<String> totals(TopReading reading, @Nullable TopReading before) {
        TextTable table =
                new TextTable("processed", "per second", "failed", "per second", "enqueued");
        table.header("scheduled", "retries", "dead");
        table.row(
                TextTable.number(reading.stats().processed()),
                rate(reading.processedRate(before)),
                TextTable.number(reading.stats().failed()),
                rate(reading.failedRate(before)),
                TextTable.number(reading.stats().enqueued()),
                TextTable.number(reading.stats().scheduled()),
                TextTable.number(reading.stats().retries()),
                TextTable.number(reading.stats().dead()));
        return table.toString().lines().toList();
    }

    private static String rate(OptionalDouble rate) {
        return rate.isEmpty() ? "-" : String.format(Locale.ROOT, "%,.1f", rate.getAsDouble());
    }

    private static List<String> queues(List<QueueStats> queues) {
        TextTable table = new TextTable("queue", "waiting", "in flight", "next waits", "state");
        for (QueueStats queue : queues.stream().sorted(DEEPEST_FIRST).toList()) {
            table.row(
                    name(queue.name()),
                    TextTable.number(queue.size()),
                    TextTable.number(queue.inFlight()),
                    Spans.of(Duration.ofSeconds((long) queue.latencySeconds())),
                    QueueRows.state(queue));
        }
        return part(table, queues.isEmpty());
    }

    private static List<String> processes(List<ProcessRecord> processes) {
        TextTable table = TextTable.ofText("process", "tag", "busy", "memory", "state");
        for (ProcessRecord process : processes) {
            table.row(
                    name(process.identity()),
                    name(process.info().tag()),
                    process.busy() + " of " + process.concurrency(),
                    process.rssKib() / 1_024 + " MiB",
                    ProcessesCommand.state(process));
        }
        return part(table, processes.isEmpty());
    }

    private static List<String> jobs(List<WorkView> work, Instant now) {
        TextTable table = TextTable.ofText("running job", "queue", "runs for", "jid");
        for (WorkView one : work) {
            table.row(
                    JobRows.name(one.job()),
                    name(one.entry().queue()),
                    one.entry()
                            .since()
                            .map(since -> Spans.of(BusyCommand.age(since, now)))
                            .orElse("-"),
                    one.job().jid());
        }
        return part(table, work.isEmpty());
    }

    private static String name(String text) {
        return JobRows.shortened(text, NAME_LENGTH);
    }

    private static List<String> part(TextTable table, boolean isEmpty) {
        List<String> lines = new ArrayList<>();
        if (!isEmpty) {
            lines.add("");
            lines.addAll(table.toString().lines().toList());
        }
        return lines;
    }

    /// The beginning of a part, and how many of its lines are left out.
    private static List<String> fitted(List<String> part, int share) {
        if (part.size() <= share) {
            return part;
        }
        if (share < 3) {
            return List.of();
        }
        List<String> lines = new ArrayList<>(part.subList(0, share - 1));
        lines.add("... " + TextTable.number(part.size() - share + 1) + " more");
        return lines;
    }

    private List<String> cut(List<String> lines) {
        return lines.stream().limit(rows).map(this::cut).toList();
    }

    private String cut(String line) {
        int width = 0;
        for (int at = 0; at < line.length(); ) {
            int character = line.codePointAt(at);
            width += character < WIDE_FROM ? 1 : 2;
            if (width > columns) {
                return line.substring(0, at);
            }
            at += Character.charCount(character);
        }
        return line;
    }
}
