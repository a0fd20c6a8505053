package dev.mawashi.operate;

import dev.mawashi.wire.JobSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/// All that operators can do, with the words for it. Commands, pages, the API and the record of
/// changes go by this list.
public enum Act {
    RETRY("retried", "Puts failed jobs into their queues now; the try does not count."),
    RUN("enqueued", "Puts scheduled jobs into their queues now."),
    REQUEUE("requeued", "Puts jobs into another queue now."),
    RESCHEDULE("rescheduled", "Makes jobs due at another time."),
    BURY("buried", "Moves jobs to the dead set."),
    DELETE("deleted", "Deletes jobs."),
    CLEAR("deleted", "Deletes all jobs at once."),
    MOVE("moved", "Moves jobs that wait to another queue."),
    REMOVE("removed", "Removes the records of jobs."),
    PAUSE("paused", "Pauses queues: no job is claimed there."),
    UNPAUSE("unpaused", "Ends the pause of queues."),
    RESUME("resumed", "Ends the pause of schedules."),
    FREE("freed", "Frees the lock of a unique job: an equal one can be enqueued."),
    QUIET("quieted", "Quiets processes: they claim no more; running jobs go on."),
    STOP("stopped", "Stops processes."),
    RESTART("restarted", "Starts new code in a process; running jobs end on the old."),
    RELOAD("reloaded", "Has a process read its settings files again."),
    DUMP("dumped", "Makes processes log their running jobs, with stacks."),
    HEAP("written", "Writes the heap of a process to a file of its machine."),
    CANCEL("cancelled", "Deletes a job where it waits, ends it where it runs."),
    ERASE("erased", "Removes all jobs that hold a text, wherever they are."),
    MIGRATE("moved here", "Moves all jobs to another Redis."),
    UNDO("put back", "Undoes a change.");

    private final String past;
    private final String description;

    Act(String past, String description) {
        this.past = past;
        this.description = description;
    }

    /// Those that make sense in a set, the most wanted first.
    public static List<Act> of(JobSet set) {
        return switch (set) {
            case RETRY -> List.of(RETRY, REQUEUE, RESCHEDULE, BURY, DELETE);
            case SCHEDULE -> List.of(RUN, REQUEUE, RESCHEDULE, BURY, DELETE);
            case DEAD -> List.of(RETRY, REQUEUE, DELETE);
        };
    }

    /// The act that a word names, in a record that another version may have written.
    public static Optional<Act> named(String word) {
        return Stream.of(values()).filter(act -> act.word().equals(word)).findFirst();
    }

    /// The subcommand, the end of the path, and the name in records: `reschedule`.
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// What has become of the jobs: `rescheduled`.
    public String past() {
        return past;
    }

    /// One sentence.
    public String description() {
        return description;
    }

    /// The fields of a request that it takes beside those that choose jobs.
    public List<String> fields() {
        return switch (this) {
            case REQUEUE, MOVE -> List.of("to");
            case RESCHEDULE -> List.of("in", "at");
            case BURY -> List.of("dead_max");
            default -> List.of();
        };
    }

    /// Whether it takes jobs or processes away, so that only administrators may do it; the others
    /// are operators' too.
    public boolean isAdministrators() {
        return switch (this) {
            case DELETE, CLEAR, REMOVE, STOP, ERASE -> true;
            default -> false;
        };
    }
}
