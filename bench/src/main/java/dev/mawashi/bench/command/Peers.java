package dev.mawashi.bench.command;

import dev.mawashi.bench.rig.Machine;
import dev.mawashi.bench.rig.Row;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// The job servers that `--peer` names: kinds, or rows of these.
///
/// @param words of the flag
record Peers(List<String> words) {
    private static final List<Row.Kind> KINDS =
            List.of(
                    Row.Kind.SIDEKIQ,
                    Row.Kind.SIDEKIQ_YJIT,
                    Row.Kind.SIDEKIQ_JRUBY,
                    Row.Kind.RESQUE);
    private static final List<String> TAKE_PEERS = List.of("noop", "schedule");
    private static final Row ANY = new Row(Row.Kind.SIDEKIQ, 1, 1);

    /// @throws IllegalArgumentException when a word names no peer
    Peers {
        words = List.copyOf(words);
        words.forEach(word -> row(word, ANY));
    }

    /// Adds these peers to the benchmarks that take them; the first benchmark gets Sidekiq in each
    /// configuration that may be its fastest.
    ///
    /// @param lines of benchmarks
    List<String> addedTo(List<String> lines) {
        if (words.isEmpty()) {
            return lines;
        }
        String best =
                "sidekiq-1x5,sidekiq-1x25,sidekiq-%1$sx5,sidekiq-%1$sx10,sidekiq-%1$sx25,sidekiq-yjit-%1$sx10"
                        .formatted(Machine.coresHere());
        String flag = " --peer " + String.join(",", words);
        List<String> all = new ArrayList<>();
        for (String line : lines) {
            String added = all.isEmpty() ? flag.replaceFirst("\\bsidekiq(?=,|$)", best) : flag;
            all.add(TAKE_PEERS.contains(line.split(" ", 2)[0]) ? line + added : line);
        }
        return all;
    }

    boolean isAsked(Row.Kind kind) {
        return rows(ANY).values().stream().anyMatch(row -> row.kind() == kind);
    }

    /// The rows that are asked for, by the words of the flag.
    ///
    /// @param usual of what is named without numbers; one process does for a JVM
    Map<String, Row> rows(Row usual) {
        Map<String, Row> rows = new LinkedHashMap<>();
        words.forEach(word -> rows.put(word, row(word, usual)));
        return rows;
    }

    private static Row row(String word, Row usual) {
        for (Row.Kind kind : KINDS) {
            if (word.equals(kind.word())) {
                int threads = kind == Row.Kind.RESQUE ? 1 : usual.threads();
                int processes = kind == Row.Kind.SIDEKIQ_JRUBY ? 1 : usual.processes();
                return new Row(kind, processes, threads);
            }
        }
        try {
            Row row = Row.parse(word);
            if (KINDS.contains(row.kind())) {
                return row;
            }
        } catch (IllegalArgumentException _) {
            // The word names no row either.
        }
        String names = KINDS.stream().map(Row.Kind::word).collect(Collectors.joining(", "));
        throw new IllegalArgumentException(word + " is none of " + names + " or their rows");
    }
}
