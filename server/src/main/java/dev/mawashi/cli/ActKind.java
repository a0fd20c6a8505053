package dev.mawashi.cli;

import java.util.Locale;

/// What a command can do to entries of a set, with the words for it.
enum ActKind {
    RETRY("retried", "Puts failed jobs into their queues now; the try does not count."),
    RUN("enqueued", "Puts scheduled jobs into their queues now."),
    REQUEUE("enqueued", "Puts jobs into another queue now."),
    RESCHEDULE("rescheduled", "Makes jobs due at another time."),
    BURY("buried", "Moves jobs to the dead set."),
    DELETE("deleted", "Deletes jobs.");

    private final String past;
    private final String description;

    ActKind(String past, String description) {
        this.past = past;
        this.description = description;
    }

    /// The subcommand.
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// The word for what has become of the jobs, such as `deleted`.
    String past() {
        return past;
    }

    String description() {
        return description;
    }
}
