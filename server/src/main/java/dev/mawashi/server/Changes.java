package dev.mawashi.server;

import dev.mawashi.fleet.ReloadView;
import java.util.ArrayList;
import java.util.List;

/// The differences between new settings and those that a server works by. All are looked at before
/// the first is made.
final class Changes {
    private final List<String> live = new ArrayList<>();
    private final List<String> atStart = new ArrayList<>();
    private final List<Runnable> steps = new ArrayList<>();

    /// One that can be made now.
    ///
    /// @param what with the new value
    /// @param step makes it, and does not fail
    void live(String what, Runnable step) {
        live(List.of(what), step);
    }

    /// One that takes more lines.
    void live(List<String> what, Runnable step) {
        live.addAll(what);
        steps.add(step);
    }

    /// One that only a start makes.
    void atStart(String what) {
        atStart.add(what);
    }

    /// Makes those that can be made now.
    ReloadView make() {
        steps.forEach(Runnable::run);
        return new ReloadView(live, atStart);
    }
}
