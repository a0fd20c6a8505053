package dev.mawashi.java;

import dev.mawashi.execute.RunnerSlot;
import dev.mawashi.job.GiveUp;
import dev.mawashi.job.JobContext;
import dev.mawashi.job.Outcome;
import dev.mawashi.wire.MalformedPayload;
import dev.mawashi.wire.Payload;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// One thread's place to run Java jobs in.
final class JavaSlot implements RunnerSlot {
    private static final System.Logger LOG = System.getLogger(JavaSlot.class.getName());

    private final JavaRunner runner;
    private final Thread thread = Thread.currentThread();
    private final InterruptGate gate = new InterruptGate(thread);
    private @Nullable String jobName;

    JavaSlot(JavaRunner runner) {
        this.runner = runner;
    }

    private record Context(String jid, String queue, BooleanSupplier stopping)
            implements JobContext {
        @Override
        public boolean isStopping() {
            return stopping.getAsBoolean();
        }
    }

    /// The thread that it belongs to.
    Thread thread() {
        return thread;
    }

    @Override
    public Outcome run(String queue, byte[] bytes) {
        jobName = null;
        Payload payload;
        try {
            payload = Payload.parse(bytes);
        } catch (MalformedPayload malformed) {
            return new Outcome.Malformed(malformed.reason());
        }
        // For what looks for services and drivers through it; the job before may have changed it.
        thread.setContextClassLoader(runner.loader());
        gate.open();
        Throwable thrown = attempt(queue, payload, bytes);
        boolean isInterrupted = gate.close();
        if (thrown == null) {
            return Outcome.SUCCEEDED;
        }
        // Whatever it threw then: libraries wrap an interrupt in exceptions of their own.
        return isInterrupted ? Outcome.INTERRUPTED : failed(queue, payload, thrown);
    }

    private @Nullable Throwable attempt(String queue, Payload payload, byte[] bytes) {
        try {
            JavaClass found = runner.classes().find(payload.text("class"));
            String wrapped = payload.text("wrapped");
            jobName = wrapped == null ? found.name() : wrapped;
            found.run(
                    new Context(
                            Objects.requireNonNullElse(payload.text("jid"), ""),
                            queue,
                            runner::isStopping),
                    arguments(payload, bytes));
            return null;
        } catch (Throwable thrown) {
            return thrown;
        }
    }

    private static @Nullable JsonInput arguments(Payload payload, byte[] bytes) {
        int offset = payload.offset("args");
        if (offset < 0) {
            return null;
        }
        JsonInput args = new JsonInput(bytes, offset);
        return args.takeNull() ? null : args;
    }

    private static Outcome failed(String queue, Payload payload, Throwable thrown) {
        Outcome.Failed failed;
        try {
            failed = JavaFailures.of(thrown);
        } catch (Throwable _) {
            failed =
                    new Outcome.Failed(
                            thrown.getClass().getName(), "(its message cannot be had)", List.of());
        }
        LOG.log(
                Level.WARNING,
                "job failed: {0}: {1} class={2} jid={3} queue={4}{5}",
                failed.errorClass(),
                failed.message(),
                payload.text("class"),
                payload.text("jid"),
                queue,
                failed.backtrace().isEmpty() ? "" : " at=" + failed.backtrace().getFirst());
        return failed;
    }

    @Override
    public @Nullable String jobName() {
        return jobName;
    }

    /// Java jobs have no handlers; the log and the dead set report it.
    @Override
    public Optional<byte[]> giveUp(byte[] payload, GiveUp reason) {
        return Optional.of(payload);
    }

    @Override
    public void interrupt() {
        gate.interrupt();
    }

    @Override
    public void close() {
        runner.closed(this);
    }
}
