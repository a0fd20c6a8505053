package dev.mawashi.embedded;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/// Makes a child end with this process, however this process ends.
///
/// `setpriv --pdeathsig` has the kernel kill the child as soon as the *thread* that started it is
/// gone, so that thread must live as long as the child. Where there is no such setpriv a shell
/// waits for the end of its input, which this process never writes, and kills the child then.
/// `setsid` keeps a terminal's Ctrl-C from the child, since this process may need the child until
/// it has stopped itself.
record Tether(Optional<Path> setpriv, Optional<Path> setsid) {
    private static final int ANSWER_SECONDS_MAX = 10;
    private static final String WATCH =
            "trap '' INT TERM HUP; cat >/dev/null; kill -KILL \"$1\" 2>/dev/null";

    /// Old and small versions of setpriv lack the flag, so it is tried once.
    static Tether found(SearchPath path) {
        return new Tether(
                path.first("setpriv").filter(Tether::knowsDeathSignal), path.first("setsid"));
    }

    /// The command that starts `program` tied to this process.
    List<String> command(Path program, String argument) {
        List<String> words = new ArrayList<>();
        setpriv.ifPresent(tool -> words.addAll(List.of(tool.toString(), "--pdeathsig", "KILL")));
        setsid.ifPresent(tool -> words.add(tool.toString()));
        words.add(program.toString());
        words.add(argument);
        return words;
    }

    /// The shell that watches where the kernel does not. To be ended before the child is.
    Optional<Process> watch(Process child) throws IOException {
        if (setpriv.isPresent()) {
            return Optional.empty();
        }
        return Optional.of(
                new ProcessBuilder("/bin/sh", "-c", WATCH, "sh", Long.toString(child.pid()))
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start());
    }

    private static boolean knowsDeathSignal(Path setpriv) {
        try {
            Process process =
                    new ProcessBuilder(setpriv.toString(), "--pdeathsig", "KILL", "true")
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start();
            return process.waitFor(ANSWER_SECONDS_MAX, TimeUnit.SECONDS)
                    && process.exitValue() == 0;
        } catch (IOException _) {
            return false; // The watching shell does its work.
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
