package dev.mawashi.cli;

import dev.mawashi.ruby.BootTrial;
import dev.mawashi.ruby.RubyRuntime;
import dev.mawashi.ruby.RubySettings;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Boots the app once, in a process that `BootProcess` has started for it, and writes how that has
/// ended. The process ends with it, whatever the app has begun.
///
/// Three may write, the first of them does: the boot at its end, the watch when the time is over,
/// and the end of the process, should the app bring it about.
final class BootChild {
    private final Path folder;
    private final Duration limit;
    private final BootTrial trial;
    private final CountDownLatch isDone = new CountDownLatch(1);

    private BootChild(Path folder, Duration limit, BootTrial trial) {
        this.folder = folder;
        this.limit = limit;
        this.trial = trial;
    }

    /// Never returns.
    ///
    /// @param app its folder
    static void run(RubySettings settings, Path app, Path folder, Duration limit) {
        try {
            RubyRuntime.unpackJarsInto(folder);
            List<String> skipped = Files.readAllLines(folder.resolve(BootProcess.SKIPPED));
            BootTrial trial = BootTrial.prepare(settings, skipped, app.toString());
            new BootChild(folder, limit, trial).boot();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void boot() {
        Thread.ofPlatform().daemon().name("mawashi-trial-1").start(this::watch);
        Thread.ofPlatform().daemon().name("mawashi-trial-2").start(() -> tie(System.in));
        Thread atEnd =
                Thread.ofPlatform().name("mawashi-trial-3").unstarted(() -> write(trial::ending));
        Runtime.getRuntime().addShutdownHook(atEnd);
        write(trial::boot);
        end();
    }

    private void watch() {
        try {
            if (!isDone.await(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                write(() -> trial.hanging(limit.toSeconds()));
                end();
            }
        } catch (InterruptedException _) {
            // Nobody interrupts it.
        }
    }

    /// Ends this process when the doctor's has ended.
    private static void tie(InputStream input) {
        try {
            while (input.read() >= 0) {
                // The doctor writes nothing.
            }
        } catch (IOException _) {
            // An unreadable stream counts as ended.
        }
        end();
    }

    private interface Answer {
        List<String> words();
    }

    private void write(Answer answer) {
        List<String> words =
                answer.words().stream()
                        .map(word -> word.replace(BootProcess.SEPARATOR, "?"))
                        .toList();
        synchronized (this) {
            if (isDone.getCount() == 0) {
                return;
            }
            try {
                Path made = folder.resolve(BootProcess.END + ".new");
                Files.writeString(made, String.join(BootProcess.SEPARATOR, words));
                Files.move(made, folder.resolve(BootProcess.END), StandardCopyOption.ATOMIC_MOVE);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } finally {
                isDone.countDown();
            }
        }
    }

    private static void end() {
        ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
        Runtime.getRuntime().halt(Main.DONE);
    }
}
