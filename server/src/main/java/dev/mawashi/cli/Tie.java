package dev.mawashi.cli;

import dev.mawashi.server.Server;
import dev.mawashi.server.Signals;
import java.io.IOException;
import java.io.InputStream;

/// Ties a process that runs suspects to the server that started it, by its standard input. A line
/// there quiets the process. The end of the stream stops it, also when the server died.
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
                        // An unreadable stream counts as ended.
                    }
                    // A signal may have reached this process and the server. A second TERM from the
                    // system would end this process at once; one from the page never does.
                    signals.raiseFromPage("TERM");
                });
    }
}
