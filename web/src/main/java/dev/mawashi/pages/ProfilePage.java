package dev.mawashi.pages;

import dev.mawashi.profile.FlameGraph;
import dev.mawashi.profile.Profile;
import gg.jte.Content;
import java.util.List;
import java.util.Optional;

/// A profile of running jobs, or the form alone.
///
/// @param what was asked for; "" for all jobs
/// @param profile empty before anything was asked
/// @param problem why it has no samples; "" when it has some
public record ProfilePage(
        Shell shell, String what, int seconds, Optional<Profile> profile, String problem) {
    private static final int LINES = 30;

    /// Whether there is something to show.
    public boolean hasSamples() {
        return profile.filter(one -> one.samples() > 0).isPresent();
    }

    public int samples() {
        return profile.map(Profile::samples).orElse(0);
    }

    /// The flame graph, which has escaped all that is not its own.
    public Content picture() {
        return output -> output.writeContent(profile.map(FlameGraph::svg).orElse(""));
    }

    public List<Profile.Wait> waits() {
        return profile.map(Profile::waits).orElse(List.of());
    }

    public List<Profile.Line> lines() {
        return profile.map(one -> one.top(LINES)).orElse(List.of());
    }

    /// Part of all samples.
    public String percent(int some) {
        return Show.percent((double) some / Math.max(1, samples()));
    }
}
