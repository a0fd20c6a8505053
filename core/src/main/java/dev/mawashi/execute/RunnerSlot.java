package dev.mawashi.execute;

import dev.mawashi.job.Cut;
import dev.mawashi.job.GiveUp;
import dev.mawashi.job.GiveUpNotice;
import dev.mawashi.job.Outcome;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The place where one job at a time runs.
public interface RunnerSlot extends GiveUpNotice, AutoCloseable {

    /// Runs one attempt of a job and says what came of it. Never throws for what the job or its
    /// payload does.
    ///
    /// @param queue name of the queue it was claimed from, without prefix
    /// @param payload the job's exact bytes; not changed and not kept
    Outcome run(String queue, byte[] payload);

    /// The name that the last run counts under in figures by class, which is the payload's
    /// `wrapped`, otherwise its `class`; null when it never came as far as a job class. It is asked
    /// after each run, so it comes from where `run` reads the payload, and is made once a name and
    /// not once a run. Called by the slot's own thread.
    @Nullable String jobName();

    /// The job whose run just failed here will not run again: reports it to the app, whose death
    /// handlers and `sidekiq_retries_exhausted` are then called. Called by the slot's own thread,
    /// before the job leaves Redis; after a crash in between it runs and is given up again. Never
    /// throws for what the app does.
    ///
    /// @param payload the job with what is known of its failure
    /// @return see `GiveUpNotice`
    @Override
    Optional<byte[]> giveUp(byte[] payload, GiveUp reason);

    /// A job failed in another slot, which is lost with it, so that none of the app's code saw the
    /// run end: reports it to the app's error handlers, where it has some. Called by this slot's
    /// own thread. Never throws for what the app does.
    ///
    /// @param payload the job with what is known of its failure
    default void reportLost(byte[] payload) {}

    /// Asks the job that is running now to end, from another thread: Ruby code sees
    /// `Sidekiq::Shutdown` raised, Java code an interrupt. Does nothing when the slot is idle. The
    /// run then ends as `Interrupted`, unless the job finished first or will not listen.
    void interrupt();

    /// Asks one job to end, from another thread: Ruby code sees the cut's error raised, Java code
    /// an interrupt. Does nothing unless the very array that was given to `run` runs here; a second
    /// call for the same run does nothing either. The run then ends as `Failed` with that error,
    /// unless the job finished first or will not listen. A runner that cannot separate one job from
    /// the next interrupts what runs.
    default void cut(byte[] payload, Cut cut) {
        interrupt();
    }

    /// Where the job that runs now is in code of its own language, the innermost call first, asked
    /// from another thread. Empty where the thread's stack in Java has all, and when nothing runs.
    default List<String> backtrace() {
        return List.of();
    }

    /// Gives back what the slot holds; called by the slot's own thread after its last run.
    @Override
    void close();
}
