package dev.mawashi.pages;

import java.time.Instant;
import java.util.List;

/// The changes by operators, the newest first.
public record AuditPage(Shell shell, List<Line> lines) {
    public AuditPage {
        lines = List.copyOf(lines);
    }

    /// One change.
    ///
    /// @param who with their role and address
    /// @param text what was done
    /// @param detail to which jobs, and the like
    /// @param canUndo whether it can be taken back still
    /// @param isUnderWay whether it goes on, and can be ended
    public record Line(
            String id,
            Instant at,
            String who,
            String text,
            String detail,
            boolean canUndo,
            boolean isUnderWay) {}
}
