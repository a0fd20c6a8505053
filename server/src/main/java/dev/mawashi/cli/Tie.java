package dev.mawashi.cli;

import dev.mawashi.server.Server;
import dev.mawashi.server.Signals;
import java.io.IOException;
import java.io.InputStream;

/// What ties a process that runs suspects to the server that started it: its standard input. A line
/// there quiets it; the end stops it, also when the server died.
final class Tie {
    private Tie() {}

    static void to(InputStream input, Server server, Signals signals) {
        Thread.ofPlatform()
                .name("mawashi-tie-1")
                .daemon()
                .start(() -> {
                    try {
                        while (input.read() >= 0) {
                            server.quiet();
                        }
                    } catch (IOException _) {
                        // As its end.
                    }
                    // A signal may have come to both of us, and a second one would be in a hurry.
                    signals.raiseFromPage("TERM");
                });
    }
}
