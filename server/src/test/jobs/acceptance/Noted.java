package acceptance;

import dev.mawashi.job.JavaJob;
import dev.mawashi.job.JobContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;

/// Notes what jobs do where `ledger.rb` does it, in its form: one line per step, each one write.
public abstract class Noted implements JavaJob {
    private static final Path FOLDER = Path.of(System.getenv("LEDGER"));
    private static final Path FILE = FOLDER.resolve(ProcessHandle.current().pid() + ".log");

    void note(String step, JobContext context, Object more) throws IOException {
        String line = "%s %s %s %s\n".formatted(step, context.jid(), getClass().getName(), more);
        Files.writeString(FILE, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    /// Waits until the test opens the gate, by making a file of that name.
    static void pass(String gate) throws IOException, InterruptedException {
        try (WatchService watch = FOLDER.getFileSystem().newWatchService()) {
            // Before the first look, so that no opening falls in between.
            FOLDER.register(watch, StandardWatchEventKinds.ENTRY_CREATE);
            while (!isOpen(gate)) {
                WatchKey changed = watch.take();
                changed.pollEvents();
                changed.reset();
            }
        }
    }

    static boolean isOpen(String gate) {
        return Files.exists(FOLDER.resolve(gate + ".open"));
    }
}
