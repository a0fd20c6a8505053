package dev.mawashi.bench;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// The flag that lets a peer run beside Mawashi where it does not by itself.
final class PeerOption {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--peer",
            paramLabel = "NAME",
            split = ",",
            description = "Runs this one too; so far there is sidekiq.")
    private List<String> peers = new ArrayList<>();

    void check() {
        for (String peer : peers) {
            if (!peer.equals("sidekiq")) {
                throw new ParameterException(
                        spec.commandLine(),
                        "--peer " + peer + " is not known: the only one is sidekiq");
            }
        }
    }

    /// The flag as it was given.
    String words() {
        return peers.isEmpty() ? "" : " --peer " + String.join(",", peers);
    }

    boolean isAsked() {
        return !peers.isEmpty();
    }
}
