package dev.mawashi.bench.command;

import dev.mawashi.bench.rig.Machine;
import dev.mawashi.bench.rig.Row;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// The flag that adds a peer to a benchmark that runs none by itself.
final class PeerOption {
    private static final List<Row.Kind> KINDS =
            List.of(
                    Row.Kind.SIDEKIQ,
                    Row.Kind.SIDEKIQ_YJIT,
                    Row.Kind.SIDEKIQ_JRUBY,
                    Row.Kind.RESQUE);

    private static final Row ANY = new Row(Row.Kind.SIDEKIQ, 1, 1);

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--peer",
            paramLabel = "NAME",
            split = ",",
            description =
                    "Runs these too: sidekiq, sidekiq-yjit, sidekiq-jruby, resque; noop also takes"
                            + " their rows, such as sidekiq-2x25.")
    private List<String> peers = new ArrayList<>();

    void check() {
        rows(ANY);
    }

    /// The flag as it was given.
    String words() {
        return peers.isEmpty() ? "" : " --peer " + String.join(",", peers);
    }

    /// The flag as it was given, with Sidekiq in each configuration that may be its fastest.
    String wordsOfBest() {
        int cores = Machine.coresHere();
        return words().replaceFirst(
                        "\\bsidekiq(?=,|$)",
                        "sidekiq-1x5,sidekiq-1x25,sidekiq-%1$dx5,sidekiq-%1$dx10,sidekiq-%1$dx25,sidekiq-yjit-%1$dx10"
                                .formatted(cores));
    }

    boolean isAsked(Row.Kind kind) {
        return rows(ANY).values().stream().anyMatch(row -> row.kind() == kind);
    }

    /// The rows that are asked for, by the words of the flag.
    ///
    /// @param usual of what is named without numbers; one process does for a JVM
    /// @throws ParameterException when a word names no peer
    Map<String, Row> rows(Row usual) {
        Map<String, Row> rows = new LinkedHashMap<>();
        peers.forEach(peer -> rows.put(peer, row(peer, usual)));
        return rows;
    }

    private Row row(String peer, Row usual) {
        for (Row.Kind kind : KINDS) {
            if (peer.equals(kind.word())) {
                int threads = kind == Row.Kind.RESQUE ? 1 : usual.threads();
                int processes = kind == Row.Kind.SIDEKIQ_JRUBY ? 1 : usual.processes();
                return new Row(kind, processes, threads);
            }
        }
        try {
            Row row = Row.parse(peer);
            if (KINDS.contains(row.kind())) {
                return row;
            }
        } catch (IllegalArgumentException _) {
            // The word names no row either.
        }
        String names = KINDS.stream().map(Row.Kind::word).collect(Collectors.joining(", "));
        throw new ParameterException(
                spec.commandLine(), "--peer " + peer + " is none of " + names + " or their rows");
    }
}
