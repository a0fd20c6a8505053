package dev.mawashi.cli;

import java.util.Locale;

/// What can be done to entries of a set, and how it is said.
enum ActKind {
    RETRY("retried", "Puts failed jobs into their queues now; the try does not count."),
    RUN("enqueued", "Puts scheduled jobs into their queues now."),
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

    /// What has become of the jobs.
    String past() {
        return past;
    }

    String description() {
        return description;
    }
}
