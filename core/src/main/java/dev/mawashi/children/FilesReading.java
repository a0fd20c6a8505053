package dev.mawashi.children;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/// Reads an app's settings, as flags and files give them by now, in a Ruby process of its own. It
/// sets up the app's bundle, as a start does, loads none of its code, and ends.
public final class FilesReading {
    private static final Map.Entry<String, String> FLAG = Map.entry("files", "1");

    /// It forks no child that would show a generation.
    private static final int NO_GENERATION = 0;

    private final ParentSettings settings;
    private final ChildServices services;

    /// @param settings those of the parent process
    public FilesReading(ParentSettings settings, ChildServices services) {
        this.settings = settings.with(FLAG);
        this.services = services;
    }

    /// Where it reads: as a new generation would.
    ///
    /// @throws ChildFailure when the app's folder is not there
    public Home home() {
        return settings.home().get();
    }

    /// @param home as `home` returned it
    /// @param limit longest time
    /// @return a report in the order of `report.rb`
    /// @throws ChildFailure when there is no such Ruby, the files cannot be followed, or it takes
    ///   longer
    public List<String> read(Home home, Duration limit) {
        RubyParent ruby = RubyParent.launch(settings, home, NO_GENERATION, services);
        CompletableFuture<Void> timer =
                new CompletableFuture<Void>()
                        .completeOnTimeout(null, limit.toNanos(), TimeUnit.NANOSECONDS);
        CompletableFuture<Void> _ = timer.thenRun(ruby::endWhole);
        try {
            ruby.awaitBoot();
            return ruby.report();
        } catch (ChildFailure failed) {
            throw timer.isDone()
                    ? new ChildFailure("Ruby had not read it within " + limit.toSeconds() + " s")
                    : failed;
        } finally {
            timer.cancel(false);
            ruby.endWhole();
        }
    }
}
