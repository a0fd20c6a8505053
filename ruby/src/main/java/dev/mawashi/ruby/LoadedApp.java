package dev.mawashi.ruby;

import dev.mawashi.job.Cut;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jruby.Ruby;
import org.jruby.RubyArray;
import org.jruby.RubyClass;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;
import org.jspecify.annotations.Nullable;

/// The loaded app as the slots see it: what its Sidekiq has set up around a job.
///
/// @param runtime the Ruby it runs in
/// @param gem the `Mawashi::SidekiqGem`, or the `Mawashi::Resque::App` for Resque's jobs
/// @param failure the `Mawashi::Failure` that knows what the app wants done about an error
/// @param runContext what job instances get as their `_context`
/// @param entersCapsules whether a slot is to find its capsule before each job
/// @param logsJobs whether the job logger is called around every job
/// @param chain the chain of server middleware
/// @param chainUse which jobs go through the chain
/// @param interrupted what a job raises that goes through the chain only then; null when there is
///   none
/// @param reloader called with a block around each job; null when there is none
/// @param shutdown the class `Sidekiq::Shutdown`
/// @param cancelled the class `Mawashi::Cancelled`
/// @param handled raised by a middleware that saw to the job itself; null when there is none
/// @param heldFields a job that has one of these fields in its payload is not begun
/// @param classes the app's job classes
record LoadedApp(
        Ruby runtime,
        IRubyObject gem,
        IRubyObject failure,
        IRubyObject runContext,
        boolean entersCapsules,
        boolean logsJobs,
        IRubyObject chain,
        ChainUse chainUse,
        @Nullable RubyClass interrupted,
        @Nullable IRubyObject reloader,
        RubyClass shutdown,
        RubyClass cancelled,
        @Nullable RubyClass handled,
        List<String> heldFields,
        JobClasses classes) {

    /// The jobs that go through the chain of server middleware: none, those that end early, all.
    enum ChainUse {
        NONE,
        INTERRUPTS,
        ALL
    }

    /// Asks the `Mawashi::SidekiqGem` that the boot has returned.
    static LoadedApp of(ThreadContext context, IRubyObject gem) {
        Ruby runtime = context.runtime;
        IRubyObject reloader = gem.callMethod(context, "reloader");
        IRubyObject handled = gem.callMethod(context, "handled_error");
        ChainUse chainUse =
                ChainUse.valueOf(
                        gem.callMethod(context, "chain_use")
                                .asJavaString()
                                .toUpperCase(Locale.ROOT));
        return new LoadedApp(
                runtime,
                gem,
                newInstance(context, "Mawashi::Failure", gem),
                newInstance(context, "Mawashi::RunContext"),
                gem.callMethod(context, "capsules?").isTrue(),
                gem.callMethod(context, "logs_jobs?").isTrue(),
                gem.callMethod(context, "server_middleware"),
                chainUse,
                chainUse == ChainUse.INTERRUPTS
                        ? (RubyClass) runtime.getClassFromPath("Sidekiq::Job::Interrupted")
                        : null,
                reloader.isNil() ? null : reloader,
                (RubyClass) runtime.getClassFromPath("Sidekiq::Shutdown"),
                (RubyClass) runtime.getClassFromPath("Mawashi::Cancelled"),
                handled.isNil() ? null : (RubyClass) handled,
                heldFields(gem.callMethod(context, "held_fields").convertToArray()),
                new JobClasses(gem.callMethod(context, "class_lookup"), !reloader.isNil()));
    }

    private static List<String> heldFields(RubyArray<?> names) {
        List<String> fields = new ArrayList<>();
        for (Object name : names) {
            fields.add(String.valueOf(name));
        }
        return List.copyOf(fields);
    }

    /// Ends the run of a job that has one of these fields: `Mawashi::Held` is raised.
    void hold(ThreadContext context, IRubyObject job) {
        gem.callMethod(context, "hold", job);
    }

    /// A new `Mawashi::JobLog` for the calling thread.
    ///
    /// @param currentJob a lambda that returns the payload of the job that runs on it
    IRubyObject openJobLog(ThreadContext context, IRubyObject currentJob) {
        return newInstance(context, "Mawashi::JobLog", gem, currentJob);
    }

    /// What is raised in a job that the server ends.
    IRubyObject error(Cut cut) {
        return newInstance(
                runtime.getCurrentContext(),
                cut.reason().errorClass(),
                runtime.newString(cut.message()));
    }

    static IRubyObject newInstance(ThreadContext context, String className, IRubyObject... args) {
        return context.runtime.getClassFromPath(className).callMethod(context, "new", args);
    }
}
