package dev.mawashi.pages;

import dev.mawashi.fleet.JvmView;
import java.util.List;
import java.util.Optional;

/// The Java virtual machines of the fleet.
///
/// @param machines of at most so many processes as are asked at once
/// @param more how many other processes of ours there are
public record JvmPage(Shell shell, List<Machine> machines, int more) {
    public JvmPage {
        machines = List.copyOf(machines);
    }

    /// One of them.
    ///
    /// @param jvm empty when the process did not answer
    /// @param problem why it did not; "" when it did
    public record Machine(String identity, Optional<JvmView> jvm, String problem) {}
}
