package dev.mawashi.children;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/// The start of the Ruby process that loads the app.
final class ParentProcess {
    private ParentProcess() {}

    /// Starts Ruby and gives it the flags for the app's boot.
    ///
    /// @param socket to which it connects
    /// @throws ChildFailure when there is no such Ruby
    static Process start(ParentSettings settings, Home home, Path socket) {
        List<String> command = new ArrayList<>(settings.command());
        command.add(settings.program().get().toString());
        command.add(socket.toString());
        ProcessBuilder builder = new ProcessBuilder(command);
        give(home.environment(), builder.environment());
        Path folder = home.folder();
        if (folder != null) {
            builder.directory(folder.toFile());
        }
        try {
            Process started = builder.start();
            Path note = settings.folder().note(started.toHandle());
            CompletableFuture<Void> _ = started.onExit().thenRun(() -> remove(note));
            sendFlags(settings, started.getOutputStream());
            return started;
        } catch (IOException e) {
            throw new ChildFailure(
                    "cannot start Ruby ("
                            + String.join(" ", settings.command())
                            + "): "
                            + e.getMessage(),
                    e);
        }
    }

    private static void remove(Path note) {
        try {
            Files.deleteIfExists(note);
        } catch (IOException _) {
            // It goes with the private folder.
        }
    }

    /// What is as it was stays untouched: of what is no text in this locale we know no bytes.
    private static void give(Map<String, String> wanted, Map<String, String> environment) {
        environment.keySet().retainAll(wanted.keySet());
        wanted.forEach((name, value) -> {
            if (!value.equals(environment.get(name))) {
                environment.put(name, value);
            }
        });
    }

    /// The stream stays open: its end is how the process learns that the server is gone.
    private static void sendFlags(ParentSettings settings, OutputStream input) {
        StringBuilder flags = new StringBuilder();
        for (Map.Entry<String, String> flag : settings.flags()) {
            flags.append(flag.getKey()).append('\0').append(flag.getValue()).append('\0');
        }
        try {
            input.write(flags.append('\0').toString().getBytes(StandardCharsets.UTF_8));
            input.flush();
        } catch (IOException _) {
            // It has ended already, which `RubyParent.end` reports, with what it said.
        }
    }
}
