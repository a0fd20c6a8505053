package dev.mawashi.ruby;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mawashi.children.ChildFailure;
import dev.mawashi.children.Family;
import dev.mawashi.children.NoServices;
import dev.mawashi.children.ParentSettings;
import dev.mawashi.job.Outcome;
import dev.mawashi.job.RetryHint;
import dev.mawashi.lifecycle.PrivateFolder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// An app that relies on gems or payload fields which are not here, in JRuby and in MRI's parent
/// process, which children and forks come from. What is known is in `reliances_test.rb`.
class ReliancesIT {
    private static final String REFUSAL =
            "the app has sidekiq-throttled 99.0.0, and jobs run unthrottled, since Sidekiq's fetch does"
                    + " not run (limit a queue with `concurrency` in config/mawashi.yml)."
                    + " `--accept sidekiq-throttled` starts all the same.";

    @TempDir Path folder;
    private Path app;

    /// A gem with the real one's name and constant, as an app's bundle has it.
    @BeforeEach
    void writeApp() throws IOException {
        Path gem = Files.createDirectories(folder.resolve("gems/sidekiq-throttled-99.0.0/lib"));
        Files.writeString(
                gem.resolve("sidekiq-throttled.rb"),
                "module Sidekiq; module Throttled; end; end\n");
        Path specifications = Files.createDirectories(folder.resolve("specifications"));
        Files.writeString(
                specifications.resolve("sidekiq-throttled-99.0.0.gemspec"),
                "Gem::Specification.new('sidekiq-throttled', '99.0.0') { |s| s.require_paths = ['lib'] }\n");
        app =
                Files.writeString(
                        folder.resolve("app.rb"),
                        """
                        # As Bundler does: where Debian's is installed, Ruby would find that first.
                        gem "sidekiq-throttled", "99.0.0"
                        require "sidekiq-throttled"
                        class SomeJob
                          include Sidekiq::Job
                          def perform = raise("it has begun")
                        end
                        """);
    }

    @Test
    void onJrubyTheStartStopsOrIsAcceptedAndJobsWithSuchFieldsAreHeld() {
        assertThatThrownBy(() -> boot(List.of()).close())
                .isInstanceOf(RubyBootFailure.class)
                .hasMessageStartingWith(REFUSAL);

        try (RubyRuntime ruby = boot(List.of("sidekiq-throttled", "bid"));
                RubySlot slot = ruby.runner().openSlot()) {
            Outcome.Failed held = run(slot, "\"encrypt\":true");
            assertThat(held.errorClass()).isEqualTo("Mawashi::Held");
            assertThat(held.hint().verdict()).isEqualTo(RetryHint.Verdict.HOLD);
            assertThat(held.message()).startsWith("its payload asks for \"encrypt\"");
            assertThat(run(slot, "\"\\u0065ncrypt\":1").errorClass()).isEqualTo("Mawashi::Held");

            for (String runs : List.of("\"encrypt\":false", "\"encrypt\":null", "\"bid\":\"b\"")) {
                assertThat(run(slot, runs).message()).isEqualTo("it has begun");
            }
        }
    }

    private static Outcome.Failed run(RubySlot slot, String field) {
        String payload = "{\"class\":\"SomeJob\",\"jid\":\"j\",\"args\":[]," + field + "}";
        return (Outcome.Failed) slot.run("low", payload.getBytes(StandardCharsets.UTF_8));
    }

    private RubyRuntime boot(List<String> accepted) {
        return RubyRuntime.boot(
                new RubySettings(
                        new AppFlags(
                                app.toString(),
                                "",
                                "test",
                                null,
                                2,
                                null,
                                new LinkedHashMap<>(),
                                false,
                                false,
                                accepted,
                                false,
                                false),
                        TestRuby.environment(Map.of("GEM_PATH", folder.toString())),
                        null,
                        new TestRuby.Kept(),
                        TestRuby.NO_STATES));
    }

    @Test
    void onMriTheStartStopsOrIsAccepted() {
        assertThatThrownBy(() -> bootMri(List.of()))
                .isInstanceOf(ChildFailure.class)
                .hasMessageContaining(REFUSAL);
        bootMri(List.of("sidekiq-throttled"));

        assertThatThrownBy(() -> bootMri(List.of("nope")))
                .hasMessageContaining("--accept nope: there is nothing of that name to accept");
    }

    private void bootMri(List<String> accepted) {
        Path program = Path.of("src/main/ruby/mawashi/children/main.rb").toAbsolutePath();
        List<Map.Entry<String, String>> flags = new ArrayList<>();
        flags.add(Map.entry("require", app.toString()));
        accepted.forEach(name -> flags.add(Map.entry("accept", name)));
        PrivateFolder own = PrivateFolder.open(Map.of("TMPDIR", folder.toString()));
        ParentSettings parent =
                new ParentSettings(
                        List.of("ruby"),
                        () -> program,
                        TestRuby.environment(Map.of("GEM_PATH", folder.toString())),
                        flags,
                        own);
        try (own;
                Family family = new Family(parent, new NoServices(), _ -> {})) {
            family.boot();
        }
    }
}
