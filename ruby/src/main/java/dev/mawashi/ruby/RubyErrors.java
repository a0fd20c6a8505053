package dev.mawashi.ruby;

import dev.mawashi.job.Outcome;
import dev.mawashi.job.RetryHint;
import dev.mawashi.job.RetryHint.Retry;
import dev.mawashi.job.RetryHint.Verdict;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jruby.RubyArray;
import org.jruby.RubyException;
import org.jruby.RubyInteger;
import org.jruby.RubySymbol;
import org.jruby.exceptions.RaiseException;
import org.jruby.exceptions.ThreadKill;
import org.jruby.exceptions.Unrescuable;
import org.jruby.javasupport.JavaUtil;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;
import org.jruby.util.ByteList;
import org.jspecify.annotations.Nullable;

/// Turns what a job threw into an outcome.
final class RubyErrors {
    /// Sidekiq keeps 10,000 characters of a message; none takes more than four bytes.
    private static final int MESSAGE_BYTES_MAX = 40_000;

    private static final int BACKTRACE_LINES_MAX = 1_000;
    private static final String OWN_RUBY = "uri:classloader:/mawashi/";
    private static final String MESSAGE_RAISED = "!!! ERROR MESSAGE THREW AN ERROR !!!";

    private final LoadedApp app;
    private final BooleanSupplier isInterrupted;

    /// @param isInterrupted whether the server has interrupted the run
    RubyErrors(LoadedApp app, BooleanSupplier isInterrupted) {
        this.app = app;
        this.isInterrupted = isInterrupted;
    }

    /// The outcome of a run that threw. Asks the job class for its wishes, so it runs Ruby code and
    /// may throw what that code is interrupted by.
    Outcome outcome(
            ThreadContext context,
            Throwable thrown,
            @Nullable JobClass jobClass,
            JobPayload payload) {
        RubyException error = rubyError(context, thrown);
        if (error == null) {
            IRubyObject seen = seenByRuby(context, thrown);
            return javaFailure(thrown, hint(context, ask(context, seen, jobClass, payload)));
        }
        if (isStoppedBy(context, error)) {
            return Outcome.INTERRUPTED;
        }
        if (app.cancelled().isInstance(error)) {
            return new Outcome.Failed(
                    className(context, error), message(context, error), backtrace(context, error));
        }
        if (app.handled() != null && app.handled().isInstance(error)) {
            IRubyObject[] args = {error, payload.shared(context)};
            app.failure().callMethod(context, "handled", args);
            return Outcome.SUCCEEDED;
        }
        RubyArray<?> answer = ask(context, error, jobClass, payload);
        return new Outcome.Failed(
                className(context, error),
                message(context, error),
                answer.eltOk(2) instanceof RubyArray<?> kept
                        ? lines(kept)
                        : backtrace(context, error),
                hint(context, answer));
    }

    /// Whether the stack was used up, or JRuby lost count of its frames because it had been.
    static boolean isStackSpent(Throwable thrown) {
        return switch (thrown) {
            case StackOverflowError _, ArrayIndexOutOfBoundsException _ -> true;
            case RaiseException raised -> {
                RubyException error = raised.getException();
                yield error.getRuntime().getSystemStackError().isInstance(error);
            }
            default -> false;
        };
    }

    /// An error as the app's handlers get it.
    IRubyObject seenByRuby(ThreadContext context, Throwable thrown) {
        RubyException error = rubyError(context, thrown);
        if (error != null) {
            return error;
        }
        return thrown instanceof Unrescuable
                ? context.runtime.newRuntimeError(thrown.toString()).getException()
                : JavaUtil.convertJavaToUsableRubyObject(context.runtime, thrown);
    }

    /// The outcome where the app cannot be asked any more.
    Outcome plain(ThreadContext context, Throwable thrown) {
        RubyException error = rubyError(context, thrown);
        if (error == null) {
            return javaFailure(thrown, RetryHint.NONE);
        }
        return isStoppedBy(context, error)
                ? Outcome.INTERRUPTED
                : new Outcome.Failed(
                        className(context, error), lastMessage(context, error), List.of());
    }

    /// What comes out of the app may come once more.
    private static String lastMessage(ThreadContext context, RubyException error) {
        try {
            return message(context, error);
        } catch (Throwable _) {
            return MESSAGE_RAISED;
        }
    }

    private static String className(ThreadContext context, RubyException error) {
        return error.getMetaClass().getRealClass().getName(context);
    }

    /// What Ruby code would see if it rescued this, which it cannot do where the thread was ended;
    /// null when that is no Ruby exception.
    private static @Nullable RubyException rubyError(ThreadContext context, Throwable thrown) {
        if (thrown instanceof RaiseException raised) {
            return raised.getException();
        }
        if (thrown instanceof StackOverflowError overflow) {
            return context.runtime
                    .newSystemStackError("stack level too deep", overflow)
                    .getException();
        }
        return thrown instanceof ThreadKill
                ? context.runtime.newThreadError("the job ended its own thread").getException()
                : null;
    }

    private static Outcome javaFailure(Throwable thrown, RetryHint hint) {
        List<String> lines =
                Arrays.stream(thrown.getStackTrace())
                        .limit(BACKTRACE_LINES_MAX)
                        .map(StackTraceElement::toString)
                        .toList();
        String message = thrown.getMessage();
        return new Outcome.Failed(
                thrown.getClass().getName(), message == null ? "" : message, lines, hint);
    }

    /// Whether the server's stop ended the run. A job that raises `Sidekiq::Shutdown` by itself
    /// would otherwise run again at once, for ever.
    private boolean isStoppedBy(ThreadContext context, RubyException error) {
        return isShutdown(error)
                && (isInterrupted.getAsBoolean()
                        || app.runContext().callMethod(context, "stopping?").isTrue());
    }

    private boolean isShutdown(RubyException error) {
        Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        Object cause = error;
        while (cause instanceof RubyException next && seen.add(next)) {
            if (app.shutdown().isInstance(next)) {
                return true;
            }
            cause = next.getCause();
        }
        return false;
    }

    private static String message(ThreadContext context, RubyException error) {
        try {
            ByteList text =
                    error.callMethod(context, "message")
                            .callMethod(context, "to_s")
                            .convertToString()
                            .getByteList();
            int length = Math.min(text.realSize(), MESSAGE_BYTES_MAX);
            return new String(text.unsafeBytes(), text.begin(), length, StandardCharsets.UTF_8);
        } catch (RaiseException | StackOverflowError _) {
            // Sidekiq's own words where an error's message cannot be had.
            return MESSAGE_RAISED;
        }
    }

    static List<String> backtrace(ThreadContext context, RubyException error) {
        try {
            return error.callMethod(context, "backtrace") instanceof RubyArray<?> all
                    ? lines(all)
                    : List.of();
        } catch (RaiseException _) {
            // An error that cannot say where it came from is still a failure.
            return List.of();
        }
    }

    private static List<String> lines(RubyArray<?> all) {
        int count = Math.min(all.size(), BACKTRACE_LINES_MAX);
        List<String> texts = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            String line = all.eltOk(i).asJavaString();
            if (!line.startsWith(OWN_RUBY)) {
                texts.add(line);
            }
        }
        return texts;
    }

    /// What the app wants done, see `Failure#hint`.
    private RubyArray<?> ask(
            ThreadContext context,
            IRubyObject error,
            @Nullable JobClass jobClass,
            JobPayload payload) {
        IRubyObject type = jobClass == null ? context.nil : jobClass.type();
        IRubyObject job = payload.hash(context);
        IRubyObject[] args = {type, payload.sharedOr(job), error, job};
        return app.failure().callMethod(context, "hint", args).convertToArray();
    }

    private static RetryHint hint(ThreadContext context, RubyArray<?> answer) {
        return hint(context, answer.eltOk(0), answer.eltOk(1));
    }

    private static RetryHint hint(ThreadContext context, IRubyObject option, IRubyObject wish) {
        Retry retry =
                option instanceof RubyInteger limit
                        ? Retry.upTo(Math.clamp(limit.asLong(context), 0, Integer.MAX_VALUE))
                        : option.isTrue() ? Retry.DEFAULT : Retry.OFF;
        if (wish instanceof RubySymbol verdict) {
            return new RetryHint(
                    retry,
                    OptionalLong.empty(),
                    switch (verdict.idString()) {
                        case "kill" -> Verdict.KILL;
                        case "hold" -> Verdict.HOLD;
                        default -> Verdict.DISCARD;
                    });
        }
        OptionalLong delay =
                wish instanceof RubyInteger seconds
                        ? OptionalLong.of(seconds.asLong(context))
                        : OptionalLong.empty();
        return new RetryHint(retry, delay, Verdict.RETRY);
    }
}
