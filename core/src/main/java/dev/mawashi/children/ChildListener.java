package dev.mawashi.children;

import dev.mawashi.job.Outcome;
import java.nio.LongBuffer;
import org.jspecify.annotations.Nullable;

/// Takes the reports of a child. Called by the child's own reading thread, but for `silent`, so it
/// must not wait for the child's answer.
public interface ChildListener {

    /// Jobs succeeded: each one's id, then how long it ran.
    void done(LongBuffer idsAndNanos);

    /// A job ended in another way.
    ///
    /// @param hadClass whether it came as far as its class, whose run it then is
    void ended(long id, long nanos, Outcome outcome, boolean hadClass);

    /// The child hands back jobs that it has not begun, since it was asked to.
    void returned(long[] ids);

    /// The jid of a job that the child holds, for the log; null when that is not known.
    @Nullable String jid(long id);

    /// The child has answered nothing for a while, and gets a successor; called again and again for
    /// as long as that lasts. It may live, and run jobs that are long.
    void silent(Child child);

    /// A job has asked the child to end.
    ///
    /// @param signal that it has sent, as Ruby names it
    default void asksForItsEnd(String signal) {}

    /// The child is gone.
    ///
    /// @param noted what it had noted of its jobs; null when that is not known
    void lost(ChildEnd end, @Nullable Noted noted);
}
