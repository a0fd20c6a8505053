package dev.mawashi.bench;

import com.google.errorprone.annotations.FormatMethod;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/// Results for people: one table, all rates in jobs per second (bench/README.md tells how to read
/// it).
final class TextReport {
    private static final String ROW = "%-34s %12s  %-25s%n";
    private static final double MIB = 1 << 20;
    private static final int CURVE_SHOWN_MAX = 24;

    private final Results results;
    private final PrintWriter out;

    TextReport(Results results, PrintWriter out) {
        this.results = results;
        this.out = out;
    }

    void print() {
        head();
        print(ROW, "jobs/s", "median", "min - max");
        for (Contestant one : results.runs().keySet()) {
            List<Figures> runs = results.runsOf(one);
            rate(one.name() + ", start included", Spread.of(runs, Figures::totalRate));
            rate(one.name() + ", first job to last", Spread.of(runs, Figures::workRate));
            rate(one.name() + ", second half", Spread.of(runs, Figures::lateRate));
        }
        if (!results.limit().isEmpty()) {
            rate("redis-benchmark -P 100 LMOVE", Spread.of(results.limit(), Double::doubleValue));
        }
        out.println();
        costs();
        results.ours().forEach(this::curve);
        results.peer().ifPresent(peer -> results.ours().forEach(one -> ratio(one, peer)));
        results.peer().ifPresent(this::fewer);
        results.notes().forEach(out::println);
        out.flush();
    }

    private void head() {
        int runs = results.runsOf(results.ours().getFirst()).size();
        print("%s, %d runs each, in turn%n", results.bench(), runs);
        print("  machine        %s%n", results.machine().describe());
        print("  redis          %s, the same for all%n", results.redis());
        for (Contestant one : results.runs().keySet()) {
            print("  %-14s %,d jobs a run: %s%n", one.name(), one.jobs(), one.description());
        }
        out.println();
    }

    private void rate(String label, Spread spread) {
        String range = String.format(Locale.ROOT, "%,.0f - %,.0f", spread.min(), spread.max());
        print(ROW, label, String.format(Locale.ROOT, "%,.0f", spread.median()), range);
    }

    private void costs() {
        print(
                "%-14s %9s %9s %9s %12s %14s %9s %14s%n",
                "medians",
                "start s",
                "work s",
                "total s",
                "CPU us/job",
                "Redis us/job",
                "peak MB",
                "allocated MB");
        for (Contestant one : results.runs().keySet()) {
            print(
                    "%-14s %9.2f %9.2f %9.2f %12.2f %14.2f %9.0f %14.0f%n",
                    one.name(),
                    median(one, Figures::startSeconds),
                    median(one, Figures::workSeconds),
                    median(one, Figures::totalSeconds),
                    median(one, Figures::cpuMicrosPerJob),
                    median(one, run -> run.usage().redisCpuSeconds() * 1e6 / run.jobs()),
                    median(one, run -> run.usage().peakBytes() / MIB),
                    median(one, run -> run.usage().allocatedBytes() / MIB));
        }
        out.println();
    }

    private double median(Contestant one, ToDoubleFunction<Figures> figure) {
        return Spread.of(results.runsOf(one), figure).median();
    }

    /// How ours warms up: the last run.
    private void curve(Contestant one) {
        List<Long> curve = results.runsOf(one).getLast().curve();
        String steps =
                curve.stream()
                        .limit(CURVE_SHOWN_MAX)
                        .map(jobs -> String.format(Locale.ROOT, "%.1f", jobs / 1_000.0))
                        .collect(Collectors.joining(" "));
        String more = curve.size() > CURVE_SHOWN_MAX ? " ..." : "";
        print(
                "thousand jobs of %s per %d ms from the first on: %s%s%n%n",
                one.name(), Figures.CURVE_STEP_MS, steps, more);
    }

    private void ratio(Contestant one, Contestant peer) {
        Spread pairs = Spread.of(results.ratios(one, peer), Double::doubleValue);
        print(
                "%s, start included, is %.1f x %s without its start (pairs %.1f - %.1f)%n",
                one.name(),
                results.ratioOfMedians(one, peer),
                peer.name(),
                pairs.min(),
                pairs.max());
    }

    private void fewer(Contestant peer) {
        int jobs = results.ours().getFirst().jobs();
        if (peer.jobs() < jobs) {
            print(
                    "%s gets fewer jobs because its rate is flat; all of them would take it %.0f s%n",
                    peer.name(),
                    median(peer, Figures::startSeconds) + jobs / median(peer, Figures::workRate));
        }
    }

    @FormatMethod
    private void print(String form, Object... values) {
        out.printf(Locale.ROOT, form, values);
    }
}
