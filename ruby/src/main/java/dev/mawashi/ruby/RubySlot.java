package dev.mawashi.ruby;

import dev.mawashi.execute.RunnerSlot;
import dev.mawashi.job.GiveUp;
import dev.mawashi.job.Outcome;
import dev.mawashi.wire.MalformedPayload;
import java.util.List;
import org.jruby.RubyHash;
import org.jruby.RubyString;
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

    /// The class of the job that is running; null until it is found.
    private @Nullable JobClass jobClass;

    private @Nullable String jobName;

    /// What the last run threw.
    private @Nullable Throwable failure;

    RubySlot(LoadedApp app) {
        this.app = app;
        payload = new JobPayload(new RubyJson(app.runtime()));
        errors = new RubyErrors(app);
        context = enter();
        gate = new InterruptGate(app.shutdown(), context.getThread());
    }

    private ThreadContext enter() {
        ThreadContext entered = app.runtime().getCurrentContext();
        app.gem().callMethod(entered, "enter_slot");
        return entered;
    }

    @Override
    public Outcome run(String queue, byte[] bytes) {
        begin();
        jobClass = null;
        jobName = null;
        failure = null;
        Outcome outcome;
        try {
            payload.read(context, bytes);
            outcome = app.reloader() == null ? perform(queue) : reload(queue, app.reloader());
        } catch (MalformedPayload e) {
            outcome = new Outcome.Malformed(String.valueOf(e.getMessage()));
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
        IRubyObject error = errors.seenByRuby(context, failure);
        failure = null;
        try {
            payload.read(context, bytes);
            IRubyObject[] args = {
                jobClass == null ? context.nil : jobClass.type(),
                payload.hash(context),
                error,
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
        }
    }

    /// The calling thread becomes known to Ruby, so call it from a thread that lives long.
    @Override
    public void interrupt() {
        gate.interrupt();
    }

    @Override
    public void close() {
        app.runtime().getThreadService().unregisterCurrentThread(context);
    }

    private void begin() {
        // Something outside may have raised into or killed this thread while it was idle.
        drain();
        gate.open();
    }

    private void finish() {
        if (gate.close()) {
            drain();
        }
        payload.forget();
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

    /// Gets a new Ruby thread in place of a killed one, which could not be killed or woken again.
    private void reenter() {
        close();
        context = enter();
        gate.guard(context.getThread());
    }

    private Outcome reload(String queue, IRubyObject reloader) {
        // A reloader that does not call its block has, as in Sidekiq, seen to the job itself.
        Outcome[] outcome = {Outcome.SUCCEEDED};
        reloader.callMethod(
                context, "call", IRubyObject.NULL_ARRAY, block(() -> outcome[0] = perform(queue)));
        return outcome[0];
    }

    private Outcome perform(String queue) {
        ByteList name = payload.className();
        if (name == null) {
            return new Outcome.Failed("NameError", NO_CLASS, List.of());
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
        if (usesChain(found)) {
            performInChain(found, job, queue);
        } else {
            found.perform(context, job, args);
        }
        return Outcome.SUCCEEDED;
    }

    private boolean usesChain(JobClass found) {
        return switch (app.chainUse()) {
            case NONE -> false;
            case ITERABLE -> found.iterates();
            case ALL -> true;
        };
    }

    /// Calls the server middleware around `perform` as Sidekiq does: it may change the hash, and
    /// `perform` gets the arguments that it then holds.
    private void performInChain(JobClass found, IRubyObject job, String queue) {
        RubyHash hash = (RubyHash) payload.hash(context);
        IRubyObject argsKey = RubyString.newString(context.runtime, "args");
        app.chain()
                .callMethod(
                        context,
                        "invoke",
                        new IRubyObject[] {job, hash, RubyString.newString(context.runtime, queue)},
                        block(() -> {
                            IRubyObject args = hash.op_aref(context, argsKey);
                            found.perform(context, job, splat(args));
                        }));
    }

    private IRubyObject[] splat(IRubyObject args) {
        return args.isNil() ? IRubyObject.NULL_ARRAY : args.convertToArray().toJavaArray(context);
    }

    private Block block(Runnable body) {
        return CallBlock.newCallClosure(
                context,
                app.runtime().getTopSelf(),
                Signature.NO_ARGUMENTS,
                (caller, _, _) -> {
                    body.run();
                    return caller.nil;
                });
    }

    private Outcome fail(Throwable error) {
        if (error instanceof ThreadKill) {
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
