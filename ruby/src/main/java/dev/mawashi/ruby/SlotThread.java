package dev.mawashi.ruby;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jruby.RubyProc;
import org.jruby.exceptions.ThreadKill;
import org.jruby.runtime.Block;
import org.jruby.runtime.CallBlock;
import org.jruby.runtime.Signature;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;

/// The thread of a slot as Ruby sees it: its context, the log context of the job that runs, and
/// what others raise into it, which must reach that job and no other.
final class SlotThread {
    private static final int DRAINED_MAX = 100;

    private final LoadedApp app;
    private final JobPayload payload;
    private final RaiseGate gate;

    /// Held here because JRuby itself keeps only a soft reference, and with the context an app's
    /// `Thread.current[...]` values would go.
    private ThreadContext context;

    /// The `Mawashi::JobLog` of this thread.
    private IRubyObject jobLog;

    /// Whether anyone has asked for the log context of the job that runs, or changed it.
    private boolean isLogContextUsed;

    /// Makes the calling thread known to Ruby.
    ///
    /// @param payload of the job that runs, for its log lines
    SlotThread(LoadedApp app, JobPayload payload) {
        this.app = app;
        this.payload = payload;
        context = enter();
        jobLog = openJobLog();
        gate = new RaiseGate(app.shutdown(), context.getThread());
    }

    private ThreadContext enter() {
        ThreadContext entered = app.runtime().getCurrentContext();
        app.gem().callMethod(entered, "enter_slot");
        return entered;
    }

    private IRubyObject openJobLog() {
        return app.openJobLog(
                context,
                RubyProc.newProc(app.runtime(), lambda(this::currentJob), Block.Type.LAMBDA));
    }

    /// What this thread may know of the job that it runs, for its log lines.
    private IRubyObject currentJob(ThreadContext caller) {
        if (caller != context || !payload.isHeld()) {
            return caller.nil;
        }
        isLogContextUsed = true;
        return payload.hash(context);
    }

    /// @return another one after `reenter`
    ThreadContext context() {
        return context;
    }

    /// A Ruby lambda without parameters.
    Block lambda(Function<ThreadContext, IRubyObject> body) {
        return CallBlock.newCallClosure(
                context,
                app.runtime().getTopSelf(),
                Signature.NO_ARGUMENTS,
                (caller, _, _) -> body.apply(caller));
    }

    /// Lets interrupts and cuts through from here on.
    ///
    /// @param bytes the very array of the job that begins
    void begin(byte[] bytes) {
        // Something outside may have raised into or killed this thread while it was idle.
        drain();
        gate.open(bytes);
    }

    /// The job's log. The job's log context is made only if somebody looks at it.
    IRubyObject jobLog() {
        return jobLog;
    }

    /// The job's log, with a log context for this job. Call `forgetLogContext` after the job.
    IRubyObject openLogContext() {
        isLogContextUsed = true;
        return jobLog;
    }

    void finish() {
        if (gate.close()) {
            drain();
        }
    }

    /// The calling thread becomes known to Ruby, so call it from a thread that lives long.
    void interrupt() {
        gate.interrupt();
    }

    /// Raises an error in the job that was begun with this very array. Call it from a thread that
    /// lives long, as `interrupt`.
    void cut(byte[] bytes, IRubyObject error) {
        gate.cut(bytes, error);
    }

    /// The calls of Ruby code that the thread is in, innermost first, without ours. Call it from a
    /// thread that lives long, as `interrupt`.
    List<String> backtrace() {
        List<String> lines = new ArrayList<>();
        for (Object line :
                app.runtime()
                        .getClassFromPath("Mawashi::ThreadDump")
                        .callMethod(app.runtime().getCurrentContext(), "lines", gate.thread())
                        .convertToArray()) {
            lines.add(String.valueOf(line));
        }
        return lines;
    }

    boolean isInterrupted() {
        return gate.isInterrupted();
    }

    /// Lets the next job have a log context of its own.
    void forgetLogContext() {
        if (!isLogContextUsed) {
            return;
        }
        try {
            jobLog.callMethod(context, "forget");
            isLogContextUsed = false;
        } catch (RuntimeException _) {
            // An error was raised into this thread from outside; the context is forgotten after the
            // next job.
        }
    }

    /// Empties `$!`, which would become the cause of the next job's error.
    void forgetError() {
        context.setErrorInfo(context.nil);
    }

    /// Gets a new Ruby thread in place of a killed one, which could not be killed or woken again,
    /// or of one that ran out of stack: JRuby then may have lost count of its frames, and every
    /// later job would fail on it.
    void reenter() {
        close();
        context = enter();
        jobLog = openJobLog();
        gate.guard(context.getThread());
    }

    void close() {
        app.runtime().getThreadService().unregisterCurrentThread(context);
    }

    /// Takes out exceptions that others have raised in this thread and that no job has seen.
    private void drain() {
        for (int i = 0; i < DRAINED_MAX && hasPending(); i++) {
            // Each round takes out one.
        }
    }

    private boolean hasPending() {
        try {
            context.pollThreadEvents();
            return false;
        } catch (ThreadKill _) {
            reenter();
            return true;
        } catch (RuntimeException _) {
            // It was meant for a job that is over.
            return true;
        }
    }
}
