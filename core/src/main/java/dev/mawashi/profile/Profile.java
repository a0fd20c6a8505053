package dev.mawashi.profile;

import dev.mawashi.fleet.StackView;
import dev.mawashi.wire.JsonFields;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Samples of the Ruby stacks of running jobs, or of the Java stacks of jobs without Ruby, added
/// up. One thread's.
public final class Profile {
    /// A lock that goes from job to job has many holders.
    private static final int WAITS_MAX = 10;

    private final Frame root = new Frame("all");
    private final Map<String, Integer> own = new HashMap<>();
    private final Map<String, Integer> total = new HashMap<>();
    private final Map<String, Integer> waits = new HashMap<>();

    /// A call, and those that it made while it was sampled.
    static final class Frame {
        final String name;
        final Map<String, Frame> calls = new HashMap<>();
        int samples;

        Frame(String name) {
            this.name = name;
        }

        /// The calls by name, so that neighbours stay neighbours in each picture.
        List<Frame> sortedCalls() {
            return calls.values().stream().sorted(Comparator.comparing(call -> call.name)).toList();
        }

        int depth() {
            return 1 + calls.values().stream().mapToInt(Frame::depth).max().orElse(0);
        }
    }

    /// A call with its samples.
    ///
    /// @param own samples in which it was the innermost one
    /// @param total samples in which it was running
    public record Line(String call, int own, int total) {}

    /// A thing that jobs seemed to wait for, and the samples in which they did.
    public record Wait(String what, int samples) {}

    /// Adds a sample. One without calls, as of a job that has just begun, is left out.
    public void add(StackView stack) {
        List<String> calls = stack.ruby().isEmpty() ? stack.java() : stack.ruby();
        if (calls.isEmpty()) {
            return;
        }
        Frame at = root;
        at.samples++;
        at = inner(at, stack.jobClass().isEmpty() ? "(no class)" : stack.jobClass());
        Set<String> seen = new HashSet<>();
        for (String call : calls.reversed()) {
            at = inner(at, call);
            if (seen.add(call)) {
                total.merge(call, 1, Integer::sum);
            }
        }
        own.merge(at.name, 1, Integer::sum);
        if (!stack.waitsFor().isEmpty()) {
            waits.merge(stack.waitsFor(), 1, Integer::sum);
        }
    }

    private static Frame inner(Frame outer, String name) {
        Frame inner = outer.calls.computeIfAbsent(name, Frame::new);
        inner.samples++;
        return inner;
    }

    /// For programs: `samples`, `waits` and the first `calls`.
    ///
    /// @param calls how many
    public String json(int calls) {
        List<String> lines =
                top(calls).stream()
                        .map(line ->
                                new JsonFields()
                                        .text("call", line.call())
                                        .number("own", line.own())
                                        .number("total", line.total())
                                        .toString())
                        .toList();
        List<String> waited =
                waits().stream()
                        .map(wait ->
                                new JsonFields()
                                        .text("for", wait.what())
                                        .number("samples", wait.samples())
                                        .toString())
                        .toList();
        return new JsonFields()
                .number("samples", samples())
                .array("waits", waited)
                .array("calls", lines)
                .toString();
    }

    public int samples() {
        return root.samples;
    }

    Frame root() {
        return root;
    }

    /// The calls by their own samples, most first.
    ///
    /// @param most how many
    public List<Line> top(int most) {
        List<Line> lines = new ArrayList<>();
        total.forEach((call, all) -> lines.add(new Line(call, own.getOrDefault(call, 0), all)));
        return lines.stream()
                .sorted(
                        Comparator.comparingInt(Line::own)
                                .thenComparingInt(Line::total)
                                .reversed()
                                .thenComparing(Line::call))
                .limit(most)
                .toList();
    }

    /// Most first, at most ten.
    public List<Wait> waits() {
        return waits.entrySet().stream()
                .map(wait -> new Wait(wait.getKey(), wait.getValue()))
                .sorted(Comparator.comparingInt(Wait::samples).reversed().thenComparing(Wait::what))
                .limit(WAITS_MAX)
                .toList();
    }
}
