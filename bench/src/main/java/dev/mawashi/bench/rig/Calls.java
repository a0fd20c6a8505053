package dev.mawashi.bench.rig;

/// Calls of a command, one after the other.
public final class Calls {
    private Calls() {}

    /// Calls what a contestant stands for as often as it has jobs.
    ///
    /// @return what a call takes, of CPU with all that it starts, and of time
    /// @throws BenchFailure when a call fails
    public static Run of(Contestant one) throws InterruptedException {
        ProcFile harness = new ProcFile(ProcessHandle.current().pid());
        double used = harness.endedSeconds();
        long began = System.nanoTime();
        for (int i = 0; i < one.jobs(); i++) {
            Programs.output(one.command(), one.environment());
        }
        double seconds = (System.nanoTime() - began) / 1e9;
        return Run.EMPTY
                .with("cpu_seconds_per_call", (harness.endedSeconds() - used) / one.jobs())
                .with("seconds_per_call", seconds / one.jobs());
    }
}
