package dev.mawashi.acts;

import dev.mawashi.operate.AuditEntry;

/// The result of a request for a change.
sealed interface ActOutcome {

    /// It was done.
    record Done(AuditEntry entry) implements ActOutcome {}

    /// It goes on.
    record UnderWay(RunningAct running) implements ActOutcome {}

    /// What is recorded of it.
    default AuditEntry entry() {
        return switch (this) {
            case Done done -> done.entry();
            case UnderWay underWay -> underWay.running().begun();
        };
    }
}
