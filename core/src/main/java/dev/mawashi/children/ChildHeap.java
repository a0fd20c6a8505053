package dev.mawashi.children;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/// Has a child whose threads run jobs write its heap. Its jobs stand still meanwhile.
public final class ChildHeap {
    private ChildHeap() {}

    /// @param file that is not there yet
    /// @return why it was not written, "" when it was; empty when the child did not report in time
    public static Optional<String> write(Child child, Path file, Duration patience) {
        return child.traces().ofHeap(file, patience);
    }
}
