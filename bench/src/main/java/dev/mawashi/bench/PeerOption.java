package dev.mawashi.bench;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/// The flag that lets a peer run beside Mawashi where it does not by itself.
final class PeerOption {
    @Option(
            names = "--peer",
            paramLabel = "NAME",
            split = ",",
            description = "Runs this one too; so far there is sidekiq.")
    private List<String> peers = new ArrayList<>();

    void check(Bench bench) {
        for (String peer : peers) {
            if (!peer.equals("sidekiq")) {
                throw bench.wrong("--peer " + peer + " is not known: the only one is sidekiq");
            }
        }
    }

    boolean isAsked() {
        return !peers.isEmpty();
    }
}
