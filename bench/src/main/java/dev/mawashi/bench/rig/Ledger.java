package dev.mawashi.bench.rig;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The begins and ends of jobs, as roll.rb writes them: `begin|end <number> <release> <time in
/// ns>`.
final class Ledger {
    private final Map<Integer, Entry> begun = new HashMap<>();
    private final Map<Integer, Entry> ended = new HashMap<>();
    private final Map<Integer, Long> firstBegins = new HashMap<>();
    private int repeated;

    private record Entry(int release, long nanos) {}

    private Ledger() {}

    static Ledger read(Path folder) {
        Ledger ledger = new Ledger();
        BenchFolder.lines(folder, "*.ledger").forEach(ledger::add);
        return ledger;
    }

    private void add(String line) {
        String[] words = line.split(" ", 4);
        int number = Integer.parseInt(words[1]);
        Entry entry = new Entry(Integer.parseInt(words[2]), Long.parseLong(words[3]));
        if (words[0].equals("begin")) {
            repeated += begun.put(number, entry) == null ? 0 : 1;
            firstBegins.merge(entry.release(), entry.nanos(), Math::min);
        } else {
            ended.put(number, entry);
        }
    }

    /// Jobs that ended.
    int ended() {
        return ended.size();
    }

    /// Jobs that began more than once.
    int repeated() {
        return repeated;
    }

    /// Jobs that ended on another release than they began on, or without having begun.
    long changed() {
        return ended.entrySet().stream()
                .filter(one -> !isOf(one.getValue().release(), begun.get(one.getKey())))
                .count();
    }

    private static boolean isOf(int release, @Nullable Entry begin) {
        return begin != null && begin.release() == release;
    }

    /// Jobs that ended after some job had begun on a newer release.
    long outlived() {
        return ended.values().stream()
                .filter(one ->
                        firstBegins.entrySet().stream()
                                .anyMatch(first ->
                                        first.getKey() > one.release()
                                                && first.getValue() < one.nanos()))
                .count();
    }

    /// Releases that jobs began on.
    int releases() {
        return firstBegins.size();
    }

    /// Ends per second.
    ///
    /// @param from the time of the first window's begin
    /// @param window seconds of each
    /// @param count of windows
    List<Double> rates(long from, int window, int count) {
        double nanos = window * 1e9;
        List<Double> rates = new ArrayList<>(Collections.nCopies(count, 0.0));
        for (Entry one : ended.values()) {
            int index = (int) Math.floor((one.nanos() - from) / nanos);
            if (index >= 0 && index < count) {
                rates.set(index, rates.get(index) + 1.0 / window);
            }
        }
        return rates;
    }
}
