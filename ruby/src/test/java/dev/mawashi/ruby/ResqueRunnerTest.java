package dev.mawashi.ruby;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.job.Outcome;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Runs Resque's payloads in a real Ruby.
class ResqueRunnerTest {
    private static RubyRuntime ruby;
    private static RubyRunner runner;
    private RubySlot slot;

    @BeforeAll
    static void bootRuby() {
        ruby = TestRuby.boot("src/test/ruby/apps/resque_jobs.rb");
        runner = ruby.resqueRunner();
    }

    @AfterAll
    static void closeRuby() {
        ruby.close();
    }

    @BeforeEach
    void openSlot() {
        slot = runner.openSlot();
        ruby.eval("SEEN.clear");
    }

    @AfterEach
    void closeSlot() {
        slot.close();
    }

    private Outcome run(String payload) {
        return slot.run("low", payload.getBytes(UTF_8));
    }

    private static String seen() {
        return ruby.eval("SEEN.inspect").toString();
    }

    @Test
    void theClassMethodGetsTheArguments() {
        assertThat(run("{\"class\":\"ArchiveJob\",\"args\":[35,\"tar\",{\"k\":null}]}"))
                .isEqualTo(Outcome.SUCCEEDED);
        assertThat(seen()).isEqualTo("[[35, \"tar\", {\"k\" => nil}]]");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"{\"class\":\"ArchiveJob\"}", "{\"class\":\"ArchiveJob\",\"args\":null}"})
    void withoutArgumentsThereAreNone(String payload) {
        assertThat(run(payload)).isEqualTo(Outcome.SUCCEEDED);
        assertThat(seen()).isEqualTo("[[]]");
    }

    @Test
    void anErrorIsAFailureWithTheLinesAboveOurs() {
        Outcome.Failed failed = (Outcome.Failed) run("{\"class\":\"FailingJob\",\"args\":[]}");

        assertThat(failed.errorClass()).isEqualTo("IOError");
        assertThat(failed.message()).isEqualTo("no disk");
        assertThat(failed.backtrace()).singleElement().asString().contains("resque_jobs.rb:16");
    }

    @ParameterizedTest
    @CsvSource({
        "NotAJob, NoMethodError, undefined method 'perform' for class NotAJob",
        "NoSuchJob, NameError, uninitialized constant NoSuchJob",
        "Kernel, NoMethodError, undefined method 'perform' for module Kernel",
        "'Object;', NameError, wrong constant name",
    })
    void whatIsNoJobClassIsNeverTouched(String name, String errorClass, String message) {
        Outcome.Failed failed = (Outcome.Failed) run("{\"class\":\"" + name + "\",\"args\":[]}");

        assertThat(failed.errorClass()).isEqualTo(errorClass);
        assertThat(failed.message()).contains(message);
        assertThat(seen()).isEqualTo("[]");
    }

    @Test
    void whatIsNoJsonObjectIsMalformed() {
        assertThat(run("[1]")).isInstanceOf(Outcome.Malformed.class);
        assertThat(run("{\"class\":")).isInstanceOf(Outcome.Malformed.class);
    }

    @Test
    void theServersStopCutsAJobShortWithoutAFailure() throws Exception {
        RubySlot mine = slot;
        CompletableFuture<Outcome> outcome = new CompletableFuture<>();
        Thread running =
                Thread.ofPlatform()
                        .stackSize(2 << 20)
                        .start(() -> {
                            try (RubySlot own = runner.openSlot()) {
                                slot = own;
                                outcome.complete(
                                        own.run(
                                                "low",
                                                "{\"class\":\"EndlessJob\"}".getBytes(UTF_8)));
                            }
                        });
        ruby.eval("EndlessJob::STARTED.pop");

        slot.interrupt();

        assertThat(outcome.get()).isEqualTo(Outcome.INTERRUPTED);
        running.join();
        slot = mine;
        assertThat(seen()).isEqualTo("[]");
    }
}
