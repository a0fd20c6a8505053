package dev.mawashi.java;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.Eventually;
import dev.mawashi.execute.RunnerSlot;
import dev.mawashi.job.GiveUp;
import dev.mawashi.job.Outcome;
import java.io.File;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Payloads in, outcomes out, with the jobs of `TestJobs`.
final class JavaRunnerTest {
    private static final String JOBS = TestJobs.class.getName() + "$";

    private final ClassLoader own = Thread.currentThread().getContextClassLoader();
    private final JavaRunner runner = new JavaRunner(testClasses());
    private final RunnerSlot slot = runner.openSlot();

    private static JobClassPath testClasses() {
        try {
            URI folder = TestJobs.class.getProtectionDomain().getCodeSource().getLocation().toURI();
            return JobClassPath.of(Path.of(folder) + File.pathSeparator + Path.of(folder));
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    @BeforeEach
    void forget() {
        System.clearProperty(TestJobs.TOLD);
    }

    @AfterEach
    void close() {
        slot.close();
        runner.close();
        Thread.currentThread().setContextClassLoader(own);
    }

    @Test
    void aJobRunsAndKnowsWhereItIs() {
        assertThat(run("Telling", "\"a\"")).isEqualTo(Outcome.SUCCEEDED);
        assertThat(told()).isEqualTo("a jid=j1 queue=low stopping=false services=true");
        assertThat(slot.jobName()).isEqualTo(JOBS + "Telling");

        runner.announceStop();
        run("Telling", "\"b\"");
        assertThat(told()).isEqualTo("b jid=j1 queue=low stopping=true services=true");
    }

    @Test
    void whatStandsForAnotherClassCountsUnderIts() {
        byte[] payload = payload(JOBS + "Telling", "[\"a\"],\"wrapped\":\"Inner\"");

        assertThat(slot.run("low", payload)).isEqualTo(Outcome.SUCCEEDED);
        assertThat(slot.jobName()).isEqualTo("Inner");
    }

    @Test
    void anInterruptThatAJobSetsItselfIsNotTheNextOnes() {
        run("Telling", "\"a\"");

        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void jobsSeeTheirOwnClassesAndTheInterfaceOnly() {
        assertThat(run("Looking", "\"java.util.List\"")).isEqualTo(Outcome.SUCCEEDED);
        assertThat(run("Looking", "\"dev.mawashi.job.JobContext\"")).isEqualTo(Outcome.SUCCEEDED);
        assertThat(failure("Looking", "\"dev.mawashi.wire.Payload\"").errorClass())
                .isEqualTo("java.lang.ClassNotFoundException");
        assertThat(failure("Looking", "\"redis.clients.jedis.Jedis\"").errorClass())
                .isEqualTo("java.lang.ClassNotFoundException");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Reports::Daily",
                "com/acme/Daily",
                "../Daily",
                ".Daily",
                "com..Daily",
                "Daily.",
                "[I",
                "int[]",
                "1Daily",
                "Da\\u0000ily",
                "Da ily",
                "$(id)"
            })
    void aNameThatNoClassCanHaveIsLookedUpNowhere(String name) {
        Outcome.Failed failed = (Outcome.Failed) slot.run("low", payload(name, "[]"));

        assertThat(failed.errorClass()).isEqualTo("java.lang.ClassNotFoundException");
        assertThat(failed.message())
                .endsWith("is no name of a Java class, such as com.acme.DailyReport");
        assertThat(slot.jobName()).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"com.acme.Nowhere", "java.lang.String", "dev.mawashi.wire.Payload", "int"})
    void aClassThatIsNotOnTheClassPathFails(String name) {
        Outcome.Failed failed = (Outcome.Failed) slot.run("low", payload(name, "[]"));

        assertThat(failed.errorClass()).isEqualTo("java.lang.ClassNotFoundException");
        assertThat(failed.message())
                .isEqualTo(
                        "there is no class %s on the class path %s (set it with --java-classpath)"
                                .formatted(name, testClasses().text()));
    }

    @Test
    void aClassThatIsNoJobIsNotEvenInitialized() {
        Outcome.Failed failed = failure("Impostor", "");

        assertThat(failed.errorClass()).isEqualTo("java.lang.NoSuchMethodException");
        assertThat(failed.message())
                .endsWith("Impostor does not implement dev.mawashi.job.JavaJob");
        assertThat(System.getProperty(TestJobs.TOLD)).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"{\"args\":[]}", "{\"class\":\"\"}", "{\"class\":7}", "{\"class\":null}"})
    void aPayloadWithoutAClassFails(String payload) {
        Outcome.Failed failed =
                (Outcome.Failed) slot.run("low", payload.getBytes(StandardCharsets.UTF_8));

        assertThat(failed.message()).startsWith("the payload names no job class");
    }

    @ParameterizedTest
    @ValueSource(strings = {"[]", "{", "{\"class\":\"A\",\"class\":\"B\"}", "nonsense", ""})
    void whatIsNoPayloadIsMalformed(String payload) {
        assertThat(slot.run("low", payload.getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(Outcome.Malformed.class);
        assertThat(slot.jobName()).isNull();
    }

    @Test
    void nullAndMissingArgsAreNone() {
        String name = JOBS + "Uninitialized";
        byte[] without = "{\"class\":\"%s\"}".formatted(name).getBytes(StandardCharsets.UTF_8);

        assertThat(((Outcome.Failed) slot.run("low", without)).errorClass())
                .isEqualTo("java.lang.ExceptionInInitializerError");
        assertThat(((Outcome.Failed) slot.run("low", payload(name, "null"))).errorClass())
                .isEqualTo("java.lang.NoClassDefFoundError");
        assertThat(((Outcome.Failed) slot.run("low", payload(name, "7"))).message())
                .isEqualTo("\"args\" of a job of " + name + " is not an array");
    }

    @ParameterizedTest
    @CsvSource({
        "plain, java.lang.IllegalArgumentException, plain",
        "silent, java.lang.IllegalStateException, java.lang.IllegalStateException",
        "memory, java.lang.OutOfMemoryError, as if",
        "link, java.lang.NoClassDefFoundError, org/left/Out",
        "interrupted, java.lang.InterruptedException, by itself",
        "message, dev.mawashi.java.TestJobs$Unspeakable, (its message cannot be had)",
    })
    void whatAJobThrowsIsItsFailure(String how, String errorClass, String message) {
        Outcome.Failed failed = failure("Failing", '"' + how + '"');

        assertThat(failed.errorClass()).isEqualTo(errorClass);
        assertThat(failed.message()).isEqualTo(message);
        assertThat(slot.jobName()).isEqualTo(JOBS + "Failing");
    }

    @Test
    void aStackThatIsUsedUpIsAFailureAndTheNextJobRuns() {
        assertThat(failure("Failing", "\"stack\"").errorClass())
                .isEqualTo("java.lang.StackOverflowError");
        assertThat(run("Telling", "\"a\"")).isEqualTo(Outcome.SUCCEEDED);
    }

    @Test
    void theBacktraceIsTheJobsOwnAndHasTheCauses() {
        Outcome.Failed failed = failure("Failing", "\"caused\"");

        assertThat(failed.backtrace()).hasSize(3);
        assertThat(failed.backtrace().getFirst())
                .startsWith(JOBS + "Failing.perform(TestJobs.java:");
        assertThat(failed.backtrace().get(1)).isEqualTo("Caused by: java.lang.Exception: inner");
        assertThat(failed.backtrace().getLast())
                .startsWith(JOBS + "Failing.perform(TestJobs.java:");
    }

    @Test
    void aConstructorThatThrowsIsAFailure() {
        assertThat(failure("Unconstructed", "").message()).isEqualTo("no instance");
    }

    @Test
    void aVeryLongMessageIsCut() {
        assertThat(failure("Failing", "\"long\"").message()).hasSize(10_000);
    }

    @ParameterizedTest
    @ValueSource(strings = {"pass on", "wrap"})
    void anInterruptEndsTheJobAndNotTheNext(String then) {
        interruptOnceItWaits();
        assertThat(run("Waiting", '"' + then + '"')).isEqualTo(Outcome.INTERRUPTED);
        slot.interrupt();
        assertThat(Thread.currentThread().isInterrupted()).as("between two jobs").isFalse();
        assertThat(run("Telling", "\"a\"")).isEqualTo(Outcome.SUCCEEDED);
    }

    @Test
    void aJobThatEndsAllTheSameHasSucceeded() {
        interruptOnceItWaits();
        assertThat(run("Waiting", "\"go on\"")).isEqualTo(Outcome.SUCCEEDED);
        assertThat(told()).isEqualTo("went on");
    }

    private void interruptOnceItWaits() {
        Thread thread = Thread.currentThread();
        CompletableFuture<Void> _ =
                CompletableFuture.runAsync(() -> {
                    Eventually.until("it waits", () -> thread.getState() == Thread.State.WAITING);
                    assertThat(runner.backtraces())
                            .anyMatch(lines -> lines.contains("$Waiting.perform"));
                    slot.interrupt();
                });
    }

    @Test
    void nobodyWantsToKeepAJobThatIsGivenUp() {
        assertThat(slot.giveUp(payload(JOBS + "Failing", "[]"), GiveUp.EXHAUSTED)).isPresent();
    }

    private Outcome run(String job, String args) {
        return slot.run("low", payload(JOBS + job, "[" + args + "]"));
    }

    private Outcome.Failed failure(String job, String args) {
        return (Outcome.Failed) run(job, args);
    }

    private static byte[] payload(String name, String args) {
        return "{\"class\":\"%s\",\"jid\":\"j1\",\"args\":%s}"
                .formatted(name, args)
                .getBytes(StandardCharsets.UTF_8);
    }

    private static String told() {
        return System.getProperty(TestJobs.TOLD, "");
    }
}
