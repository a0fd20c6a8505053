package dev.mawashi.cli;

import dev.mawashi.fleet.CapsuleView;
import dev.mawashi.fleet.ChildView;
import dev.mawashi.fleet.JvmView;
import dev.mawashi.fleet.ProcessRecord;
import dev.mawashi.fleet.RestartView;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/// One process as tables for people.
final class ProcessRows {
    private static final int PAUSES_MAX = 5;
    private static final long MIB = 1 << 20;

    private ProcessRows() {}

    /// What its record says.
    ///
    /// @param lease how long it still holds; empty for none
    static String of(ProcessRecord process, Optional<Duration> lease, Instant now) {
        TextTable table = TextTable.ofText("process", process.identity());
        table.row("tag", process.info().tag());
        table.row("labels", String.join(", ", process.info().labels()));
        table.row("queues", String.join(", ", process.info().queues()));
        table.row("state", state(process));
        process.own().alarms().forEach(alarm -> table.row("alarm", ProcessesCommand.text(alarm)));
        table.row("busy", process.busy() + " of " + process.concurrency());
        table.row("memory", process.rssKib() / 1_024 + " MiB");
        table.row("started", Spans.of(process.sinceStart(now)) + " ago");
        table.row("beat", Spans.of(process.sinceBeat(now)) + " ago");
        table.row("version", process.info().version());
        if (process.isMawashi()) {
            table.row("lease", lease.map(ProcessRows::lease).orElse("none"));
            table.row("CPU", seconds(process.own().cpu()) + ", without its children");
            for (CapsuleView capsule : process.own().capsules()) {
                table.row(
                        "capsule " + capsule.name(),
                        capsule.runner() + ", " + capsule.busy() + " of " + capsule.slots());
            }
        }
        return table.toString();
    }

    private static String state(ProcessRecord process) {
        String state = ProcessesCommand.state(process);
        return state.isEmpty() ? "works" : state;
    }

    private static String lease(Duration left) {
        return left.isNegative()
                ? "lapsed " + Spans.of(left.negated()) + " ago"
                : "holds for " + Spans.of(left);
    }

    private static String seconds(Duration time) {
        return String.format(Locale.ROOT, "%.1f s", time.toMillis() / 1_000.0);
    }

    /// What its JVM says.
    static String of(JvmView jvm) {
        TextTable table = TextTable.ofText("JVM", jvm.java() + ", " + jvm.vm());
        table.row("heap", usage(jvm.heap()));
        table.row("outside of it", usage(jvm.nonHeap()));
        table.row("code cache", usage(jvm.codeCache()));
        for (JvmView.Collector collector : jvm.collectors()) {
            table.row(
                    collector.name(),
                    collector.count() + " times, " + seconds(collector.time()) + " in all");
        }
        for (JvmView.Pause pause : jvm.pauses().stream().limit(PAUSES_MAX).toList()) {
            table.row(
                    "collection",
                    "%s ms, %s, %s"
                            .formatted(
                                    pause.time().toMillis(),
                                    pause.cause(),
                                    pause.at().map(Instant::toString).orElse("")));
        }
        table.row("threads", threads(jvm.threads()));
        table.row(
                "classes",
                "%s, %s unloaded".formatted(jvm.classes().loaded(), jvm.classes().unloaded()));
        table.row("compiling", seconds(jvm.compiling()));
        table.row(
                "CPU load",
                jvm.cpuLoad().isPresent()
                        ? String.format(
                                Locale.ROOT,
                                "%.1f %% of %d processors",
                                jvm.cpuLoad().getAsDouble() * 100,
                                jvm.processors())
                        : "not known yet");
        return System.lineSeparator() + table;
    }

    private static String threads(JvmView.Threads threads) {
        String states =
                threads.states().entrySet().stream()
                        .map(one -> one.getValue() + " " + one.getKey().toLowerCase(Locale.ROOT))
                        .sorted()
                        .collect(Collectors.joining(", "));
        return "%s, at most %s so far: %s".formatted(threads.live(), threads.peak(), states);
    }

    private static String usage(JvmView.Usage usage) {
        String max =
                usage.max().isPresent()
                        ? ", at most " + usage.max().getAsLong() / MIB + " MiB"
                        : "";
        return usage.used() / MIB + " of " + usage.committed() / MIB + " MiB" + max;
    }

    /// What it says of its generations of code; nothing where there were no restarts.
    static String of(RestartView code, Instant now) {
        if (code.state() == RestartView.State.NONE) {
            return "";
        }
        TextTable table = TextTable.ofText("restart", restart(code));
        for (RestartView.Generation one : code.living()) {
            table.row(
                    "generation " + one.number(),
                    "%s busy, %s children%s%s"
                            .formatted(
                                    one.busy(),
                                    one.children(),
                                    one.since()
                                            .map(at ->
                                                    ", for " + Spans.of(BusyCommand.age(at, now)))
                                            .orElse(""),
                                    one.number() == code.generation() ? ", gets new jobs" : ""));
        }
        return System.lineSeparator() + table;
    }

    private static String restart(RestartView code) {
        return switch (code.state()) {
            case NONE -> "";
            case BOOTING -> "generation " + (code.generation() + 1) + " boots";
            case READY -> "generation " + code.generation() + " is ready";
            case FAILED -> "failed: " + code.problem();
        };
    }

    /// What it says of the processes that run jobs for it; nothing where there are none.
    static String of(List<ChildView> children, Instant now) {
        if (children.isEmpty()) {
            return "";
        }
        TextTable table =
                TextTable.ofText(
                        "child", "capsule", "runner", "state", "busy", "memory", "started");
        table.header("generation");
        for (ChildView child : children) {
            table.row(
                    "" + child.pid(),
                    child.capsule(),
                    child.runner(),
                    child.state(),
                    child.busy() + " of " + child.slots(),
                    child.memoryKib().isPresent()
                            ? child.memoryKib().getAsLong() / 1_024 + " MiB"
                            : "-",
                    child.startedAt()
                            .map(at -> Spans.of(BusyCommand.age(at, now)) + " ago")
                            .orElse("-"),
                    child.generation() == 0 ? "-" : "" + child.generation());
        }
        return System.lineSeparator() + table;
    }
}
