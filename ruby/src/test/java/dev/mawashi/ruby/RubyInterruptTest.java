package dev.mawashi.ruby;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.job.Cut;
import dev.mawashi.job.Outcome;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jruby.RubyProc;
import org.jruby.runtime.Block;
import org.jruby.runtime.CallBlock;
import org.jruby.runtime.Signature;
import org.jruby.runtime.builtin.IRubyObject;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// An interrupt ends the job it was meant for and no other.
@Timeout(60)
class RubyInterruptTest {
    private static RubyRuntime ruby;
    private final ExecutorService slotThread = Executors.newSingleThreadExecutor();
    private RubySlot slot;

    @BeforeAll
    static void bootRuby() {
        ruby = TestRuby.boot(TestRuby.JOBS);
    }

    @AfterAll
    static void closeRuby() {
        ruby.close();
    }

    @BeforeEach
    void openSlot() throws Exception {
        slot = slotThread.submit(() -> ruby.runner().openSlot()).get();
    }

    @AfterEach
    void closeSlot() throws Exception {
        slotThread.submit(slot::close).get();
        slotThread.shutdown();
        assertThat(slotThread.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"SleepJob", "WaitJob", "ReadJob", "BusyJob"})
    void aJobThatSleepsWaitsOrComputesIsInterrupted(String jobClass) throws Exception {
        for (int i = 0; i < 20; i++) {
            Future<Outcome> outcome = start(jobClass);
            awaitBegin();
            slot.interrupt();

            assertThat(outcome.get()).isEqualTo(Outcome.INTERRUPTED);
            assertThat(start("NoopJob").get()).isEqualTo(Outcome.SUCCEEDED);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"SleepJob", "WaitJob", "BusyJob"})
    void aCutRaisesItsErrorInItsJobAlone(String jobClass) throws Exception {
        byte[] payload = payload(jobClass);
        Future<Outcome> outcome = slotThread.submit(() -> slot.run("default", payload));
        awaitBegin();
        // Equal bytes, another job.
        slot.cut(payload.clone(), Cut.CANCELLED);
        slot.cut(payload, Cut.overTime(Duration.ofSeconds(30)));
        slot.cut(payload, Cut.overTime(Duration.ofSeconds(30)));

        assertThat(outcome.get())
                .isInstanceOfSatisfying(
                        Outcome.Failed.class,
                        failed -> {
                            assertThat(failed.errorClass()).isEqualTo("Mawashi::TimeLimitExceeded");
                            assertThat(failed.message())
                                    .isEqualTo("ran longer than its time limit of 30 s");
                            assertThat(failed.backtrace()).isNotEmpty();
                        });
        slot.cut(payload, Cut.CANCELLED);
        assertThat(start("NoopJob").get()).isEqualTo(Outcome.SUCCEEDED);
    }

    @Test
    void aCutThatTheJobDoesNotTakeDoesNotHitTheNext() throws Exception {
        byte[] payload = payload("DeafJob");
        Future<Outcome> outcome = slotThread.submit(() -> slot.run("default", payload));
        awaitBegin();
        slot.cut(payload, Cut.CANCELLED);
        ruby.eval("Seen::GATE << :go");

        assertThat(outcome.get()).isInstanceOfAny(Outcome.Succeeded.class, Outcome.Failed.class);
        assertThat(start("NoopJob").get()).isEqualTo(Outcome.SUCCEEDED);
    }

    @Test
    void anInterruptBetweenJobsDoesNothing() throws Exception {
        slot.interrupt();

        assertThat(start("NoopJob").get()).isEqualTo(Outcome.SUCCEEDED);
    }

    @Test
    void anInterruptThatTheJobDoesNotTakeDoesNotHitTheNext() throws Exception {
        Future<Outcome> outcome = start("DeafJob");
        awaitBegin();
        slot.interrupt();
        slot.interrupt();
        ruby.eval("Seen::GATE << :go");

        assertThat(outcome.get()).isIn(Outcome.SUCCEEDED, Outcome.INTERRUPTED);
        assertThat(start("NoopJob").get()).isEqualTo(Outcome.SUCCEEDED);
    }

    @Test
    void anInterruptThatComesAsTheJobReturnsDoesNotHitTheNext() throws Exception {
        IRubyObject hooked = ruby.eval("HookJob");
        Block interrupts =
                CallBlock.newCallClosure(
                        hooked.getRuntime().getCurrentContext(),
                        hooked,
                        Signature.NO_ARGUMENTS,
                        (caller, _, _) -> {
                            CompletableFuture.runAsync(slot::interrupt).join();
                            return caller.nil;
                        });
        hooked.callMethod(
                hooked.getRuntime().getCurrentContext(),
                "hook=",
                RubyProc.newProc(hooked.getRuntime(), interrupts, Block.Type.PROC));
        for (int i = 0; i < 200; i++) {
            start("HookJob").get();

            assertThat(start("LoopJob").get()).isEqualTo(Outcome.SUCCEEDED);
        }
    }

    @Test
    void interruptsAtAnyMomentEndAtMostTheJobThatRuns() throws Exception {
        Future<Integer> failures = slotThread.submit(() -> failuresOf(50_000));
        while (!failures.isDone()) {
            slot.interrupt();
            Thread.onSpinWait();
        }

        assertThat(failures.get()).isZero();
    }

    @Test
    void jobsCanAskWhetherTheServerIsStopping() throws Exception {
        RubyRunner runner = ruby.runner();
        assertThat(ruby.eval("EchoJob.new.interrupted?").isTrue()).isFalse();
        runner.announceStop();
        start("EchoJob").get();
        ruby.eval("Seen.take");
        ruby.eval(
                "class AskJob; include Sidekiq::Job; def perform = Seen::LIST << interrupted?; end");
        start("AskJob").get();

        assertThat(ruby.eval("Seen.take").isTrue()).isTrue();
    }

    private Integer failuresOf(int jobs) {
        int failures = 0;
        byte[] payload = payload("NoopJob");
        for (int i = 0; i < jobs; i++) {
            Outcome outcome = slot.run("default", payload);
            if (!(outcome instanceof Outcome.Succeeded)
                    && !(outcome instanceof Outcome.Interrupted)) {
                failures++;
            }
        }
        return failures;
    }

    private Future<Outcome> start(String jobClass) {
        return slotThread.submit(() -> slot.run("default", payload(jobClass)));
    }

    private static byte[] payload(String jobClass) {
        return ("{\"class\":\"" + jobClass + "\",\"args\":[]}").getBytes(UTF_8);
    }

    private static void awaitBegin() {
        ruby.eval("Seen::LIST.pop");
    }
}
