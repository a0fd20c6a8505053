package dev.mawashi.doctor;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The examination of whole apps, good ones and broken ones.
final class ExaminerTest {
    private static final String LOCK =
            """
            GEM
              specs:
                byebug (11.1.3)
                nokogiri (1.16.0)
                pg (1.5.4)
                sidekiq (7.3.2)
                sidekiq-throttled (0.13.0)
                sqlite3 (1.7.3)
                stackprof (0.2.25)

            DEPENDENCIES
              byebug
              nokogiri
              sidekiq
              sidekiq-throttled
              sqlite3
              stackprof
            """;

    @TempDir private Path app;

    private void write(String name, String text) throws IOException {
        Path file = app.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text, ISO_8859_1);
    }

    private Examination examine() {
        Path gemfile = app.resolve("Gemfile");
        @Nullable Path given = Files.exists(gemfile) ? gemfile : null;
        return new Examiner(app, app, given, Map.of()).examine();
    }

    private static Map<String, String> runners(Examination examination) {
        return examination.classes().stream()
                .collect(Collectors.toMap(ClassVerdict::name, one -> one.runner().word()));
    }

    @Test
    void jobClassesAreFoundAlsoByWayOfOthers() throws IOException {
        write("app/jobs/application_job.rb", "class ApplicationJob < ActiveJob::Base\nend\n");
        write("app/jobs/mail_job.rb", "class MailJob < ApplicationJob\n def perform; end\nend\n");
        write("app/jobs/a/b_job.rb", "module A; class BJob < MailJob; queue_as :low; end; end");
        write("app/workers/w.rb", "class W; include ::Sidekiq::Worker; def perform; end; end");
        write(
                "lib/base.rb",
                "module Base; def self.included(base); base.include Sidekiq::Job; end; end");
        write(
                "lib/c.rb",
                "class C; include Base; sidekiq_options queue: 'high'; def perform; end; end");
        write("lib/r.rb", "class R; @queue = :old; def self.perform; end; end");
        write("lib/no.rb", "class No; @queue = 1; def perform; end; end; class Base2; end");
        write("spec/s.rb", "class S; include Sidekiq::Job; def perform; end; end");
        write("lib/generators/a/templates/m.rb", "class <%= name %>");
        write("vendor/v.rb", "class V; include Sidekiq::Job; def perform; end; end");

        Examination found = examine();

        assertThat(found.classes())
                .extracting(ClassVerdict::name)
                .containsExactly("A::BJob", "C", "MailJob", "R", "W");
        assertThat(found.classes())
                .extracting(ClassVerdict::queue)
                .containsExactly("low", "high", null, "old", null);
        assertThat(found.classes().get(3).isResque()).isTrue();
        assertThat(found.mustChange()).isFalse();
    }

    @Test
    void aClassAnswersForWhatItIsMadeOf() throws IOException {
        write("jobs/base.rb", "class Base; include Sidekiq::Job; def self.c; @c ||= 1; end; end");
        write("jobs/heir.rb", "class Heir < Base; def perform; end; end");
        write("jobs/cd.rb", "class Cd; include Sidekiq::Job; def perform; Dir.chdir '/'; end; end");
        write("jobs/ok.rb", "class Ok; include Sidekiq::Job; def perform; end; end");
        write("models/m.rb", "class M; def self.x; @x = 1; end; end");

        Examination found = examine();

        assertThat(runners(found))
                .containsExactlyInAnyOrderEntriesOf(
                        Map.of("Heir", "mri", "Cd", "fork", "Ok", "jruby"));
        assertThat(found.classes().get(1).reasons())
                .containsExactly(
                        "jobs/base.rb:1: @c ||=: writes state of the class, which all threads"
                                + " share");
        assertThat(found.elsewhere())
                .extracting(Finding::describe)
                .containsExactly(
                        "models/m.rb:1: @x =: writes state of the class, which all threads share");
        assertThat(found.mustChange()).isFalse();
    }

    @Test
    void gemsDecideForAllAndOthersAreLeftOut() throws IOException {
        write("job.rb", "class J; include Sidekiq::Job; def perform; end; end");
        write(
                "Gemfile",
                """
                gem "sidekiq"
                gem "sqlite3", platforms: :ruby
                gem "nokogiri"
                group(:development, :test) { gem "byebug" }
                gem "stackprof", group: :development
                gem "sidekiq-throttled"
                """);
        write("Gemfile.lock", LOCK);

        Examination found = examine();

        assertThat(found.gems())
                .extracting(GemVerdict::name)
                .containsExactly("nokogiri", "sidekiq", "sidekiq-throttled");
        assertThat(found.gems().get(0).reason()).startsWith("has a gem for JRuby: bundle lock");
        assertThat(found.gems().get(2).isRefused()).isTrue();
        assertThat(found.gems().get(2).reason()).contains("jobs run unthrottled");
        assertThat(runners(found)).containsEntry("J", "jruby");
        assertThat(found.mustChange()).isTrue();
    }

    @Test
    void aGemForMriAloneDecidesForAll() throws IOException {
        write("job.rb", "class J; include Sidekiq::Job; def perform; end; end");
        write("Gemfile", "gem 'pg'\n");
        write("Gemfile.lock", LOCK.replace("  byebug\n  nokogiri\n", "  pg\n"));
        Examination found = examine();
        assertThat(runners(found)).containsEntry("J", "mri");
        assertThat(found.classes().getFirst().reasons().getFirst())
                .isEqualTo(
                        "the app loads what runs on MRI only (see its gems): pg, sqlite3,"
                                + " stackprof");
        assertThat(found.config()).contains("runner: mri");
    }

    @Test
    void withoutALockTheGemsOfTheGemfileAreJudged() throws IOException {
        write("job.rb", "class J; include Sidekiq::Job; def perform; end; end");
        write("Gemfile", "gem 'mysql2'\ngem 'rake'\n");

        Examination found = examine();

        assertThat(found.troubles()).singleElement().asString().contains("there is no");
        assertThat(found.gems())
                .extracting(GemVerdict::runner)
                .containsExactly(BestRunner.MRI, BestRunner.JRUBY);
    }

    @Test
    void gemsFromElsewhereAreNamedAsUnknown() throws IOException {
        write("Gemfile", "gem 'own', git: 'x'\ngem 'near', path: 'y'\n");
        write(
                "Gemfile.lock",
                """
                GIT
                  specs:
                    own (1.0)

                PATH
                  specs:
                    near (1.0)

                DEPENDENCIES
                  near!
                  own!
                """);

        assertThat(examine().gems())
                .extracting(GemVerdict::reason)
                .containsExactly(
                        "comes from a folder: what it holds is not known",
                        "comes from git: what it holds is not known");
    }

    @Test
    void whatCannotBeReadIsNamedAndTheRestIsRead() throws IOException {
        write("a.rb", "class A; include Sidekiq::Job; def perform; end; end");
        write("broken.rb", "class B; include Sidekiq::Job; def perform(; end; end");
        write(
                "latin.rb",
                "# \u00e9\nclass C; include Sidekiq::Job; X = '\u00e9'; def perform; end; end");
        write("large.rb", "#".repeat(AppSources.FILE_BYTES_MAX + 1));
        write("empty.rb", "");
        write("zero.rb", "x = 1\0\0");
        write("Gemfile", "gem 'a\n");
        write("Gemfile.lock", "<<<<<<< HEAD\n");
        Files.createSymbolicLink(app.resolve("loop"), app);
        Files.createSymbolicLink(app.resolve("gone.rb"), app.resolve("nowhere.rb"));
        Files.createSymbolicLink(app.resolve("self.rb"), app.resolve("self.rb"));
        Files.createDirectories(app.resolve("folder.rb"));

        Examination found = examine();

        assertThat(runners(found)).containsOnly(Map.entry("A", "jruby"));
        assertThat(found.mustChange()).isTrue();
        assertThat(found.elsewhere())
                .filteredOn(one -> one.rule() == Rule.SYNTAX)
                .extracting(Finding::file)
                .contains("broken.rb");
        assertThat(found.troubles())
                .anyMatch(one -> one.startsWith("large.rb is 1,048,577 bytes"))
                .anyMatch(one -> one.contains("Gemfile:1 does not parse"))
                .anyMatch(one -> one.contains("conflict of a merge"));
    }

    /// Prism would be at it for hours. Long: it computes until its limit.
    @Tag("long")
    @Test
    void aFileThatTakesTooLongIsLeft() throws IOException {
        write("a.rb", "class A; include Sidekiq::Job; def perform; end; end");
        write("deep.rb", "x = " + "[".repeat(20_000) + "]".repeat(20_000));
        write("z.rb", "class Z; include Sidekiq::Job; def perform; end; end");

        Examination found = new Examiner(app, app, null, Map.of(), Duration.ofSeconds(3)).examine();

        assertThat(runners(found)).containsOnlyKeys("A", "Z");
        assertThat(found.troubles())
                .anyMatch(one -> one.startsWith("deep.rb is not read: Prism gave up: interrupted"));
    }

    @Test
    void theConfigNamesTheQueuesThatDiffer() throws IOException {
        write("a.rb", "class A; include Sidekiq::Job; def perform; end; end");
        write(
                "b.rb",
                "class B; include Sidekiq::Job; sidekiq_options queue: 'b'; def perform; end; end");
        write(
                "c.rb",
                "class C; include Sidekiq::Job; sidekiq_options queue: :\"c d\"; def perform; ENV['A'] = '';"
                        + " end; end");
        write("r.rb", "class R; @queue = 'r'; def self.perform; $x = 1; end; end");

        assertThat(examine().config())
                .isEqualTo(
                        """
                        # config/mawashi.yml, by mawashi doctor
                        runner: jruby
                        queues:
                          # C
                          "c d":
                            runner: fork
                        resque:
                          runner: mri
                        """);
    }
}
