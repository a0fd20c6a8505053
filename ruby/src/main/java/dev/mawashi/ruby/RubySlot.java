package dev.mawashi.ruby;

import dev.mawashi.execute.RunnerSlot;
import dev.mawashi.job.Cut;
import dev.mawashi.job.GiveUp;
import dev.mawashi.job.Outcome;
import dev.mawashi.ruby.LoadedApp.ChainUse;
import dev.mawashi.wire.MalformedPayload;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jcodings.specific.UTF8Encoding;
import org.jruby.RubyHash;
import org.jruby.RubyProc;
import org.jruby.RubyString;
import org.jruby.api.Error;
import org.jruby.exceptions.RaiseException;
import org.jruby.exceptions.ThreadKill;
import org.jruby.runtime.Block;
import org.jruby.runtime.CallBlock;
import org.jruby.runtime.Signature;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;
import org.jruby.util.ByteList;
import org.jspecify.annotations.Nullable;

/// One thread's place to run jobs in.
public final class RubySlot implements RunnerSlot {
    private static final int DRAINED_MAX = 100;
    private static final String NO_CLASS =
            "the payload names no job class: \"class\" is missing, empty or not a string";

    private final LoadedApp app;
    private final JobPayload payload;
    private final RubyErrors errors;
    private final InterruptGate gate;
    private final WrappedNames wrappedNames = new WrappedNames();

    /// Held here because JRuby itself keeps only a soft reference, and with the context an app's
    /// `Thread.current[...]` values would go.
    private ThreadContext context;

    /// The `Mawashi::JobLog` of this slot.
    private IRubyObject jobLog;

    /// The payload as the job logger and the middleware share it; null unless the job is logged.
    private @Nullable RubyHash logged;

    /// Whether anyone has asked for the log context of the job that runs, or changed it.
    private boolean isContextUsed;

    /// The class of the job that is running; null until it is found.
    private @Nullable JobClass jobClass;

    private @Nullable String jobName;

    /// What the last run threw.
    private @Nullable Throwable failure;

    RubySlot(LoadedApp app) {
        this.app = app;
        payload = new JobPayload(new RubyJson(app.runtime()));
        context = enter();
        jobLog = openJobLog();
        gate = new InterruptGate(app.shutdown(), context.getThread());
        errors = new RubyErrors(app, gate::isInterrupted);
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
        isContextUsed = true;
        return payload.hash(context);
    }

    @Override
    public Outcome run(String queue, byte[] bytes) {
        begin(bytes);
        jobClass = null;
        jobName = null;
        failure = null;
        Outcome outcome;
        try {
            if (app.entersCapsules()) {
                app.gem()
                        .callMethod(
                                context,
                                "enter_capsule",
                                RubyString.newString(context.runtime, queue));
            }
            payload.read(context, bytes);
            boolean isLogged = app.logsJobs() || payload.asksForLogLevel();
            outcome = isLogged ? log(queue) : reload(queue);
        } catch (MalformedPayload e) {
            outcome = malformed(bytes, String.valueOf(e.getMessage()));
        } catch (InternalError e) {
            // The JVM itself is broken; unlike memory or stack, no job can have used it up.
            finish();
            throw e;
        } catch (Throwable e) {
            outcome = fail(e);
        }
        finish();
        return outcome;
    }

    @Override
    public @Nullable String jobName() {
        return jobName;
    }

    @Override
    public boolean giveUp(byte[] bytes, GiveUp reason) {
        Throwable seen = failure;
        failure = null;
        try {
            payload.read(context, bytes);
            IRubyObject job = payload.hash(context);
            IRubyObject[] args = {
                jobClass == null ? context.nil : jobClass.type(),
                job,
                seen == null ? context.nil : errors.seenByRuby(context, seen),
                RubyString.newString(context.runtime, reason.name())
            };
            return app.failure().callMethod(context, "give_up", args).isTrue();
        } catch (Throwable e) {
            // Handlers' own errors are seen to in Ruby. What comes through is an exit or a kill.
            if (e instanceof ThreadKill) {
                reenter();
            }
            return false;
        } finally {
            context.setErrorInfo(context.nil);
            payload.forget();
            forgetContext();
        }
    }

    @Override
    public void reportLost(byte[] bytes) {
        try {
            payload.read(context, bytes);
            app.failure().callMethod(context, "lost", payload.hash(context));
        } catch (Throwable e) {
            // As in `giveUp`.
            if (e instanceof ThreadKill) {
                reenter();
            }
        } finally {
            context.setErrorInfo(context.nil);
            payload.forget();
            forgetContext();
        }
    }

    /// The calling thread becomes known to Ruby, so call it from a thread that lives long.
    @Override
    public void interrupt() {
        gate.interrupt();
    }

    /// As `interrupt`.
    @Override
    public void cut(byte[] bytes, Cut cut) {
        gate.cut(bytes, app.error(cut));
    }

    @Override
    public void close() {
        app.runtime().getThreadService().unregisterCurrentThread(context);
    }

    private void begin(byte[] bytes) {
        // Something outside may have raised into or killed this thread while it was idle.
        drain();
        gate.open(bytes);
    }

    private void finish() {
        if (gate.close()) {
            drain();
        }
        payload.forget();
        forgetContext();
    }

    /// Lets the next job have a log context of its own.
    private void forgetContext() {
        if (!isContextUsed) {
            return;
        }
        try {
            jobLog.callMethod(context, "forget");
            isContextUsed = false;
        } catch (RuntimeException _) {
            // Something was raised into this thread from outside; it is done after the next job.
        }
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

    /// Gets a new Ruby thread in place of a killed one, which could not be killed or woken again,
    /// or of one that ran out of stack: JRuby then may have lost count of its frames, and every
    /// later job would fail on it.
    private void reenter() {
        close();
        context = enter();
        jobLog = openJobLog();
        gate.guard(context.getThread());
    }

    /// Calls the app's job logger around the job. What is said of a failure afterwards, by error
    /// handlers above all, finds the job in the log context too.
    private Outcome log(String queue) {
        RubyHash job = (RubyHash) payload.hash(context);
        logged = job;
        isContextUsed = true;
        try {
            IRubyObject[] args = {job, RubyString.newString(context.runtime, queue)};
            return within(jobLog, args, () -> reload(queue));
        } finally {
            logged = null;
            forgetContext();
        }
    }

    private Outcome reload(String queue) {
        IRubyObject reloader = app.reloader();
        return reloader == null
                ? perform(queue)
                : within(reloader, IRubyObject.NULL_ARRAY, () -> perform(queue));
    }

    /// Calls something of the app that calls the rest as its block. If it does not, it has seen to
    /// the job itself, as in Sidekiq.
    private Outcome within(IRubyObject around, IRubyObject[] args, Supplier<Outcome> rest) {
        Outcome[] outcome = {Outcome.SUCCEEDED};
        around.callMethod(context, "call", args, block(() -> outcome[0] = rest.get()));
        return outcome[0];
    }

    private Outcome perform(String queue) {
        ByteList name = payload.className();
        if (name == null) {
            throw Error.nameError(context, NO_CLASS, "class");
        }
        JobClass found = app.classes().find(context, name);
        jobClass = found;
        ByteList wrapped = payload.wrapped();
        jobName = wrapped == null ? found.name() : wrappedNames.name(wrapped);
        IRubyObject[] args = payload.args();
        if (args == null) {
            throw context.runtime.newArgumentError(
                    "\"args\" of a " + found.type().getName(context) + " is not an array");
        }
        IRubyObject jid = payload.jid() == null ? context.nil : payload.jid();
        IRubyObject job = found.instantiate(context, jid, app.runContext());
        if (app.chainUse() == ChainUse.ALL) {
            performInChain(job, queue, chained -> found.perform(context, job, splat(chained)));
            return Outcome.SUCCEEDED;
        }
        try {
            found.perform(context, job, args);
        } catch (RaiseException e) {
            if (app.interrupted() == null || !app.interrupted().isInstance(e.getException())) {
                throw e;
            }
            performInChain(
                    job,
                    queue,
                    _ -> {
                        throw e;
                    });
        }
        return Outcome.SUCCEEDED;
    }

    /// Calls the server middleware around `perform` as Sidekiq does: it may change the hash, and
    /// `perform` gets the arguments that it then holds.
    private void performInChain(IRubyObject job, String queue, Consumer<IRubyObject> perform) {
        RubyHash hash = logged == null ? (RubyHash) payload.hash(context) : logged;
        IRubyObject argsKey = RubyString.newString(context.runtime, "args");
        app.chain()
                .callMethod(
                        context,
                        "invoke",
                        new IRubyObject[] {job, hash, RubyString.newString(context.runtime, queue)},
                        block(() -> perform.accept(hash.op_aref(context, argsKey))));
    }

    private IRubyObject[] splat(IRubyObject args) {
        return args.isNil() ? IRubyObject.NULL_ARRAY : args.convertToArray().toJavaArray(context);
    }

    private Block block(Runnable body) {
        return lambda(caller -> {
            body.run();
            return caller.nil;
        });
    }

    private Block lambda(Function<ThreadContext, IRubyObject> body) {
        return CallBlock.newCallClosure(
                context,
                app.runtime().getTopSelf(),
                Signature.NO_ARGUMENTS,
                (caller, _, _) -> body.apply(caller));
    }

    /// Tells the app's error handlers of a payload that is no job.
    private Outcome malformed(byte[] bytes, String reason) {
        payload.forget();
        IRubyObject[] args = {
            RubyString.newString(context.runtime, new ByteList(bytes, UTF8Encoding.INSTANCE, true)),
            context.runtime.newString(reason)
        };
        try {
            app.failure().callMethod(context, "malformed", args);
        } catch (Throwable e) {
            // Whatever a handler does, the payload must go to the dead set.
            if (e instanceof ThreadKill) {
                reenter();
            }
        } finally {
            context.setErrorInfo(context.nil);
        }
        return new Outcome.Malformed(reason);
    }

    private Outcome fail(Throwable error) {
        if (error instanceof ThreadKill || RubyErrors.isStackSpent(error)) {
            reenter();
        }
        failure = error;
        try {
            return errors.outcome(context, error, jobClass, payload);
        } catch (Throwable e) {
            // It came out of Ruby code too: an interrupt, or a class that cannot be asked about
            // its error. The run must still end in an outcome.
            Outcome second = errors.plain(context, e);
            return second instanceof Outcome.Interrupted ? second : errors.plain(context, error);
        } finally {
            // What stays in `$!` would become the cause of the next job's error.
            context.setErrorInfo(context.nil);
        }
    }
}
