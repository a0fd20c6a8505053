package dev.mawashi.ruby;

import dev.mawashi.execute.Runner;

/// Runs jobs on the calling threads, in one embedded Ruby that all slots share.
public final class RubyRunner implements Runner {
    private final LoadedApp app;
    private final Runnable closeRuntime;

    RubyRunner(LoadedApp app, Runnable closeRuntime) {
        this.app = app;
        this.closeRuntime = closeRuntime;
    }

    @Override
    public String word() {
        return "jruby";
    }

    @Override
    public RubySlot openSlot() {
        return new RubySlot(app);
    }

    /// Answers jobs that ask (`_context.stopping?`, `interrupted?`) that the server is stopping.
    public void announceStop() {
        app.runContext().callMethod(app.runtime().getCurrentContext(), "stop");
    }

    /// Ends the Ruby runtime; no slot may be open.
    @Override
    public void close() {
        closeRuntime.run();
    }
}
