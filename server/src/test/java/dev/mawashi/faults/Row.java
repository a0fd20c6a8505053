package dev.mawashi.faults;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// What the runs of a scenario by one server have shown, counts added up.
///
/// @param by the runner, or `sidekiq`
/// @param lease and `sweep` in seconds; of no meaning for Sidekiq
/// @param duplicatedMax how many jobs the faults may have duplicated
/// @param median of the runs' recovery times in ms, 0 where nothing had to be recovered
/// @param longest of them
/// @param verdict `kept`, or which promises were not
record Row(
        String number,
        String what,
        String by,
        double lease,
        double sweep,
        int runs,
        int jobs,
        int lost,
        int duplicated,
        int duplicatedMax,
        int overlapping,
        int recovered,
        long median,
        long longest,
        String verdict) {
    static final String SIDEKIQ = "sidekiq";
    private static final String SEPARATOR = "\t";

    static Row of(List<Run> runs) {
        Run first = runs.getFirst();
        Scenario scenario = first.scenario();
        long[] recoveries =
                runs.stream()
                        .mapToLong(run -> run.found().recovery().toMillis())
                        .filter(time -> time > 0)
                        .sorted()
                        .toArray();
        int times = recoveries.length;
        String broken =
                runs.stream()
                        .flatMap(run -> run.broken().stream())
                        .distinct()
                        .collect(Collectors.joining("; "));
        return new Row(
                scenario.number(),
                scenario.what(),
                first.settings().isSidekiq() ? SIDEKIQ : first.settings().runner(),
                first.settings().lease(),
                first.settings().sweep(),
                runs.size(),
                sum(runs.stream().mapToInt(run -> run.found().acknowledged())),
                sum(runs.stream().mapToInt(run -> run.found().lost().size())),
                sum(runs.stream().mapToInt(run -> run.found().duplicated())),
                sum(runs.stream().mapToInt(Run::duplicatedMax)),
                sum(runs.stream().mapToInt(run -> run.found().overlapping())),
                sum(runs.stream().mapToInt(run -> run.found().recovered())),
                times == 0 ? 0 : recoveries[times / 2],
                times == 0 ? 0 : recoveries[times - 1],
                broken.isEmpty() ? "kept" : "BROKEN: " + broken);
    }

    private static int sum(IntStream counts) {
        return counts.sum();
    }

    boolean isKept() {
        return verdict.equals("kept");
    }

    boolean isSidekiq() {
        return by.equals(SIDEKIQ);
    }

    /// Rows of the same key are about the same; the later one counts.
    String key() {
        return String.join(SEPARATOR, number, what, by, lease + "", sweep + "", runs + "");
    }

    String recovery() {
        if (longest == 0) {
            return "-";
        }
        String most = seconds(longest);
        return runs == 1 ? most : "%s, median %s of %d".formatted(most, seconds(median), runs);
    }

    private static String seconds(long milliseconds) {
        return String.format(Locale.ROOT, "%.1f s", milliseconds / 1e3);
    }

    String leaseAndSweep() {
        return isSidekiq() ? "-" : plain(lease) + " + " + plain(sweep) + " s";
    }

    private static String plain(double seconds) {
        return seconds == Math.rint(seconds) ? "" + (long) seconds : "" + seconds;
    }

    /// For a terminal.
    String line() {
        return "%s  %-52s %-7s  jobs %5d  lost %d  duplicated %d (at most %d)  overlapping %d  recovered %d in %s  %s"
                .formatted(
                        number,
                        what,
                        by,
                        jobs,
                        lost,
                        duplicated,
                        duplicatedMax,
                        overlapping,
                        recovered,
                        recovery(),
                        isSidekiq() ? (lost > 0 ? "loses jobs" : "") : verdict);
    }

    /// For a file, and back by `parse`.
    String text() {
        return String.join(
                SEPARATOR,
                number,
                what,
                by,
                "" + lease,
                "" + sweep,
                "" + runs,
                "" + jobs,
                "" + lost,
                "" + duplicated,
                "" + duplicatedMax,
                "" + overlapping,
                "" + recovered,
                "" + median,
                "" + longest,
                verdict.replaceAll("\\s+", " "));
    }

    static Row parse(String line) {
        String[] cells = line.split(SEPARATOR, -1);
        return new Row(
                cells[0],
                cells[1],
                cells[2],
                Double.parseDouble(cells[3]),
                Double.parseDouble(cells[4]),
                Integer.parseInt(cells[5]),
                Integer.parseInt(cells[6]),
                Integer.parseInt(cells[7]),
                Integer.parseInt(cells[8]),
                Integer.parseInt(cells[9]),
                Integer.parseInt(cells[10]),
                Integer.parseInt(cells[11]),
                Long.parseLong(cells[12]),
                Long.parseLong(cells[13]),
                cells[14]);
    }
}
