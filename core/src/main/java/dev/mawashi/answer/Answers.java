package dev.mawashi.answer;

/// The answers that this process gives about itself. Each method may take a second or two, but for
/// `heap` and `reload`. One thread calls `heap`, one calls all others.
public interface Answers {
    /// The figures of the Java virtual machine, as JSON.
    String jvm();

    /// Where all threads are, as text for people.
    String threads();

    /// Where one running job is, as JSON.
    ///
    /// @param slot as the hash of running jobs names it
    /// @throws Unanswerable when no such job runs here
    String stack(String slot);

    /// Where a few of the running jobs are, chosen by chance each time, as JSON.
    ///
    /// @param jobClass of the jobs to choose from; "" for all
    String stacks(String jobClass);

    /// The processes that run jobs for this one, as JSON.
    String children();

    /// Writes a heap to a file of this machine. May take minutes.
    ///
    /// @param pid of a child; "" for this process's own
    /// @return where it is and how large, as JSON
    /// @throws Unanswerable when there is no such child, no room, or it cannot be written
    String heap(String pid);

    /// Starts new code beside the old, and waits for nothing of it.
    ///
    /// @return as `generations`, without those that live
    /// @throws Unanswerable when that cannot be now; nothing is changed then
    String restart();

    /// Reads the settings files again and takes over what can change in a process that works.
    ///
    /// @return the differences, as JSON
    /// @throws Unanswerable when a file cannot be followed; nothing is changed then
    String reload();

    /// The last restart, and the generations of code whose processes live, as JSON.
    String generations();

    /// There is no answer, for a reason that whoever asked should hear.
    final class Unanswerable extends RuntimeException {
        private static final long serialVersionUID = 1L;

        public Unanswerable(String reason) {
            super(reason);
        }
    }
}
