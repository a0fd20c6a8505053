package dev.mawashi.ruby;

import dev.mawashi.execute.RunnerSlot;
import dev.mawashi.job.Cut;
import dev.mawashi.job.GiveUp;
import dev.mawashi.job.Outcome;
import dev.mawashi.ruby.LoadedApp.ChainUse;
import dev.mawashi.wire.MalformedPayload;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jcodings.specific.UTF8Encoding;
import org.jruby.RubyHash;
import org.jruby.RubyString;
import org.jruby.RubySymbol;
import org.jruby.api.Convert;
import org.jruby.api.Error;
import org.jruby.exceptions.RaiseException;
import org.jruby.exceptions.ThreadKill;
import org.jruby.runtime.Block;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;
import org.jruby.util.ByteList;
import org.jspecify.annotations.Nullable;

/// One thread's place to run jobs in.
public final class RubySlot implements RunnerSlot {
    private static final String NO_CLASS =
            "the payload names no job class: \"class\" is missing, empty or not a string";

    private final LoadedApp app;
    private final JobPayload payload;
    private final RubyErrors errors;
    private final WrappedNames wrappedNames = new WrappedNames();
    private final SlotThread thread;
    private final JobLines lines;

    /// What the innermost call around the job has answered; null until the job is done.
    private @Nullable IRubyObject answer;

    /// The class of the job that is running; null until it is found.
    private @Nullable JobClass jobClass;

    private @Nullable String jobName;

    /// What the last run threw.
    private @Nullable Throwable failure;

    RubySlot(LoadedApp app) {
        this.app = app;
        payload = new JobPayload(new RubyJson(app.runtime()), app.heldFields());
        thread = new SlotThread(app, payload);
        lines = new JobLines(payload);
        errors = new RubyErrors(app, thread::isInterrupted);
    }

    @Override
    public List<String> backtrace() {
        return thread.backtrace();
    }

    @Override
    public Outcome run(String queue, byte[] bytes) {
        thread.begin(bytes);
        jobClass = null;
        jobName = null;
        failure = null;
        Outcome outcome;
        try {
            ThreadContext context = thread.context();
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
    public Optional<byte[]> giveUp(byte[] bytes, GiveUp reason) {
        Throwable seen = failure;
        failure = null;
        IRubyObject answer =
                notifyApp(
                        "give_up",
                        context -> {
                            payload.read(context, bytes);
                            return new IRubyObject[] {
                                jobClass == null ? context.nil : jobClass.type(),
                                payload.hash(context),
                                seen == null ? context.nil : errors.seenByRuby(context, seen),
                                RubyString.newString(context.runtime, reason.name())
                            };
                        });
        return switch (answer) {
            case RubySymbol _ -> Optional.empty();
            case RubyString changed -> Optional.of(changed.getBytes());
            default -> Optional.of(bytes);
        };
    }

    @Override
    public void reportLost(byte[] bytes) {
        IRubyObject _ =
                notifyApp(
                        "lost",
                        context -> {
                            payload.read(context, bytes);
                            return new IRubyObject[] {payload.hash(context)};
                        });
    }

    /// The calling thread becomes known to Ruby, so call it from a thread that lives long.
    @Override
    public void interrupt() {
        thread.interrupt();
    }

    /// Call it from a thread that lives long, as `interrupt`.
    @Override
    public void cut(byte[] bytes, Cut cut) {
        thread.cut(bytes, app.error(cut));
    }

    @Override
    public void close() {
        thread.close();
    }

    private void finish() {
        answer = null;
        thread.finish();
        payload.forget();
        thread.forgetLogContext();
    }

    /// Logs the job, by itself where the app's job logger would do nothing else.
    private Outcome log(String queue) {
        if (!lines.start(thread.context(), thread.jobLog())) {
            return callJobLogger(queue);
        }
        Outcome outcome;
        try {
            outcome = reload(queue);
        } catch (Throwable e) {
            logEnd(false);
            throw e;
        }
        logEnd(true);
        return outcome;
    }

    private void logEnd(boolean isDone) {
        ThreadContext context = thread.context();
        IRubyObject log = thread.jobLog();
        if (lines.isPlainEnd(context, log)) {
            lines.end(context, isDone);
            return;
        }
        IRubyObject seconds = Convert.asFloat(context, lines.seconds());
        IRubyObject[] how = {isDone ? context.tru : context.fals, seconds};
        IRubyObject _ = log.callMethod(context, "end_in_context", how);
    }

    /// Calls the app's job logger around the job. What is said of a failure afterwards, by error
    /// handlers above all, finds the job in the log context too.
    private Outcome callJobLogger(String queue) {
        IRubyObject job = payload.shared(thread.context());
        IRubyObject log = thread.openLogContext();
        try {
            IRubyObject[] args = {job, RubyString.newString(app.runtime(), queue)};
            return within(log, args, () -> reload(queue));
        } finally {
            thread.forgetLogContext();
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
        Block block =
                thread.lambda(caller -> {
                    outcome[0] = rest.get();
                    return answer == null ? caller.nil : answer;
                });
        answer = around.callMethod(thread.context(), "call", args, block);
        return outcome[0];
    }

    private Outcome perform(String queue) {
        ThreadContext context = thread.context();
        if (payload.hasHeldField()) {
            app.hold(context, payload.hash(context));
        }
        ByteList name = payload.className();
        if (name == null) {
            throw Error.nameError(context, NO_CLASS, "class");
        }
        JobClass found = app.classes().find(context, name);
        jobClass = found;
        ByteList wrapped = payload.wrapped();
        jobName = wrapped == null ? found.name() : wrappedNames.name(wrapped);
        IRubyObject[] args = payload.args();
        IRubyObject jid = payload.jid() == null ? context.nil : payload.jid();
        IRubyObject job = found.instantiate(context, jid, app.runContext());
        if (app.chainUse() == ChainUse.ALL) {
            answer =
                    chain(
                            job,
                            queue,
                            given -> found.perform(context, job, JobPayload.splat(context, given)));
            return Outcome.SUCCEEDED;
        }
        try {
            answer = found.perform(context, job, args);
        } catch (RaiseException e) {
            if (app.interrupted() == null || !app.interrupted().isInstance(e.getException())) {
                throw e;
            }
            answer =
                    chain(
                            job,
                            queue,
                            _ -> {
                                throw e;
                            });
        }
        return Outcome.SUCCEEDED;
    }

    /// Calls the server middleware around `perform` as Sidekiq does: it may change the hash,
    /// `perform` gets the arguments that it then holds, and `yield` answers what `perform` does.
    private IRubyObject chain(IRubyObject job, String queue, UnaryOperator<IRubyObject> perform) {
        ThreadContext context = thread.context();
        RubyHash hash = (RubyHash) payload.shared(context);
        IRubyObject argsKey = RubyString.newString(context.runtime, "args");
        return app.chain()
                .callMethod(
                        context,
                        "invoke",
                        new IRubyObject[] {job, hash, RubyString.newString(context.runtime, queue)},
                        thread.lambda(_ -> perform.apply(hash.op_aref(context, argsKey))));
    }

    /// Reports to the app's error handlers a payload that is no job.
    private Outcome malformed(byte[] bytes, String reason) {
        payload.forget();
        IRubyObject _ =
                notifyApp(
                        "malformed",
                        context ->
                                new IRubyObject[] {
                                    RubyString.newString(
                                            context.runtime,
                                            new ByteList(bytes, UTF8Encoding.INSTANCE, true)),
                                    context.runtime.newString(reason)
                                });
        return new Outcome.Malformed(reason);
    }

    /// Calls a handler of `Mawashi::Failure`. Whatever it does, the caller goes on.
    ///
    /// @return what it answered; nil if it did not
    private IRubyObject notifyApp(String handler, Function<ThreadContext, IRubyObject[]> args) {
        ThreadContext context = thread.context();
        try {
            return app.failure().callMethod(context, handler, args.apply(context));
        } catch (Throwable e) {
            // Handlers' own errors are seen to in Ruby. What comes through is an exit or a kill.
            if (e instanceof ThreadKill) {
                thread.reenter();
            }
            return context.nil;
        } finally {
            thread.forgetError();
            payload.forget();
            thread.forgetLogContext();
        }
    }

    private Outcome fail(Throwable error) {
        if (error instanceof ThreadKill || RubyErrors.isStackSpent(error)) {
            thread.reenter();
        }
        failure = error;
        ThreadContext context = thread.context();
        try {
            return errors.outcome(context, error, jobClass, payload);
        } catch (Throwable e) {
            // It came out of Ruby code too: an interrupt, or a class that cannot be asked about
            // its error. The run must still end in an outcome.
            Outcome second = errors.plain(context, e);
            return second instanceof Outcome.Interrupted ? second : errors.plain(context, error);
        } finally {
            thread.forgetError();
        }
    }
}
