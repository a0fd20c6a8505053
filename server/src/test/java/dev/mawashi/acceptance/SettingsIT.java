package dev.mawashi.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// All that an app can see of Sidekiq's settings, while it is loaded, at its start and in a job, is
/// the same under MRI's `sidekiq` and under Mawashi, and what it changes takes effect. What differs
/// stands in docs/guide/differences.md.
@Tag("stack")
final class SettingsIT {
    private static final Path APP = Programs.SCRIPTS.resolve("settings.rb");
    private static final String GEMS = Workplace.DEBIAN_GEMS.get("GEM_PATH");

    /// `fetch`: Sidekiq's own does not run. `words`: from 6.5 on the command leaves its flags in
    /// ARGV.
    private static final Predicate<String> DIFFERS =
            Stream.of("options.fetch", "process.words")
                    .<Predicate<String>>map(name -> line -> line.startsWith(name))
                    .reduce(_ -> false, Predicate::or);

    private static final String FILE =
            """
            :concurrency: 3
            :timeout: 8
            max_retries: 7
            dead_max_jobs: 100
            :labels: [eu, slow]
            :tag: <%= JSON.parse('["filed"]').first + SecureRandom.hex(1).size.to_s %>
            own: {deep: [1, {er: 2}]}
            queues:
              - high
              - [low, 2]
              - default
            test:
              timeout: 9
            """;

    /// Queues that the app has added once it has started.
    private static final String[] NO_CAPSULES = {"default", "alive"};

    private static final String[] CAPSULES = {"default", "alive", "own"};

    @TempDir Path folder;

    /// The same app under each server, with flags and with changes that it makes itself.
    ///
    /// @param changes words of `settings.rb`
    private record Case(String changes, List<String> flags) {
        Case(String changes, String... flags) {
            this(changes, List.of(flags));
        }

        void compare(Path folder, String... queues) throws IOException {
            try (Workplace sidekiq = place(folder, "sidekiq");
                    Workplace mri = place(folder, "mri");
                    Workplace jruby = place(folder, "jruby")) {
                Map<String, String> changing = Map.of("CHANGES", changes);
                sidekiq.start("sidekiq", words(List.of("sidekiq")), changing);
                List<Child> ours =
                        List.of(
                                mri.start("mri", words("mri", "--processes", "1"), changing),
                                jruby.start(
                                        "jruby",
                                        words("jruby"),
                                        Map.of("CHANGES", changes, "GEM_PATH", GEMS)));
                for (Workplace place : List.of(sidekiq, mri, jruby)) {
                    for (String queue : queues) {
                        place.push(queue, List.of(job(queue)));
                    }
                }
                List<String> expected = dumps(sidekiq, queues);
                assertThat(expected).hasSizeGreaterThan(100);
                assertThat(different(expected, dumps(mri, queues))).as("mri").isEmpty();
                assertThat(different(expected, dumps(jruby, queues))).as("jruby").isEmpty();
                for (Child server : ours) {
                    assertThat(server.log().contains("trap(\"TERM\") has no effect"))
                            .as(server::log)
                            .isEqualTo(changes.contains("trap"));
                }
            }
        }

        private static Workplace place(Path folder, String name) throws IOException {
            return new Workplace(Files.createDirectory(folder.resolve(name)));
        }

        private List<String> words(List<String> command) {
            return Stream.of(command, List.of("-r", APP.toString()), flags)
                    .flatMap(List::stream)
                    .toList();
        }

        private List<String> words(String runner, String... more) {
            List<String> command = new ArrayList<>(Programs.mawashiCommand("run"));
            command.addAll(List.of("--runner", runner));
            command.addAll(List.of(more));
            return words(command);
        }

        /// A dump by a job of each queue shows that it is served.
        private static byte[] job(String queue) {
            return """
            {"class":"DumpJob","args":["job-%1$s"],"retry":false,"queue":"%1$s","jid":"dump"}\
            """
                    .formatted(queue)
                    .getBytes(UTF_8);
        }

        private static List<String> different(List<String> expected, List<String> found) {
            return Stream.concat(
                            expected.stream()
                                    .filter(line -> !found.contains(line))
                                    .map("sidekiq only: "::concat),
                            found.stream()
                                    .filter(line -> !expected.contains(line))
                                    .map("mawashi only: "::concat))
                    .toList();
        }

        private static List<String> dumps(Workplace place, String... queues) throws IOException {
            List<String> moments = new ArrayList<>(List.of("load", "startup"));
            Stream.of(queues).forEach(queue -> moments.add("job-" + queue));
            List<String> lines = new ArrayList<>();
            for (String moment : moments) {
                Path dump = place.folder().resolve(moment + ".dump");
                place.await(moment + " is written down", () -> Files.exists(dump));
                Files.readAllLines(dump).stream()
                        .filter(DIFFERS.negate())
                        .forEach(line -> lines.add(moment + " " + line));
            }
            return lines;
        }
    }

    /// Long: three servers; a file and flags change the same settings.
    @Tag("long")
    @Test
    void whatNobodyHasSet() throws IOException {
        new Case("queue concurrency handlers trap").compare(folder, "default", "extra");
    }

    /// Its blocks for the start change what the server does, as under Sidekiq. Long: three servers.
    @Tag("long")
    @Test
    void whatItsStartChanges() throws IOException {
        String[] queues = hasCapsules() ? CAPSULES : NO_CAPSULES;
        String changes = "startup-queue startup-concurrency startup-capsule startup-middleware";
        new Case(changes).compare(folder, queues);
    }

    private boolean hasCapsules() throws IOException {
        try (Workplace place = new Workplace(Files.createDirectory(folder.resolve("version")))) {
            return place.hasSidekiq(7);
        }
    }

    /// Long: three servers; the file says more.
    @Tag("long")
    @Test
    void whatFlagsSay() throws IOException {
        String[] flags = "-q a,2 -q b -q default -c 3 -t 7 -g shop -e staging -v".split(" ");
        new Case("queue", flags).compare(folder, "default", "extra");
    }

    @Test
    void whatTheFileSays() throws IOException {
        Path file = Files.writeString(folder.resolve("file.yml"), FILE);
        new Case("", "-e", "test", "-C", file.toString()).compare(folder, "low");
    }
}
