package dev.mawashi.acts;

import dev.mawashi.operate.AuditEntry;

/// What a request for a change came to.
sealed interface Outcome {

    /// It was done.
    record Done(AuditEntry entry) implements Outcome {}

    /// It goes on.
    record UnderWay(Running running) implements Outcome {}

    /// What is recorded of it.
    default AuditEntry entry() {
        return switch (this) {
            case Done done -> done.entry();
            case UnderWay underWay -> underWay.running().begun();
        };
    }
}
