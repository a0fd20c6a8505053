package dev.mawashi.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/// The examples for containers name commands and flags that there are, and give a stop the time
/// that it takes. `./check stacks` builds the images and does what the examples say.
final class DeployExamplesTest {
    private static final Path EXAMPLES = Path.of("../examples/deploy");

    /// Where the images have it, or an app's binstub.
    private static final Pattern LAUNCHER = Pattern.compile("(/opt/mawashi/|bin/|)mawashi");

    /// What the launcher does without a JVM.
    private static final Pattern LAUNCHERS_OWN = Pattern.compile("health( [1-9]\\d*)?");

    private static final Pattern INSTRUCTION =
            Pattern.compile("(?m)^(?:HEALTHCHECK .*)?(ENTRYPOINT|CMD) (.*)$");

    @ParameterizedTest
    @CsvSource({"kubernetes.yaml, 1", "web.yaml, 1", "kamal.yml, 1", "Procfile, 1"})
    void commandsAreThoseOfTheCommandLine(String file, int atLeast) throws IOException {
        List<List<String>> commands = commandsIn(file);

        assertThat(commands).hasSizeGreaterThanOrEqualTo(atLeast);
        assertThat(commands).allSatisfy(DeployExamplesTest::assertParses);
    }

    @ParameterizedTest
    @CsvSource({
        "kubernetes.yaml, terminationGracePeriodSeconds: (\\d+), 15",
        "kamal.yml, drain_timeout: (\\d+), 15",
        "Procfile, kills (\\d+) s after TERM, 10",
    })
    void aStopHasItsTime(String file, Pattern given, int more) throws IOException {
        Matcher seconds = given.matcher(Files.readString(EXAMPLES.resolve(file)));
        assertThat(seconds.find()).isTrue();
        List<String> run =
                commandsIn(file).stream()
                        .filter(words -> words.contains("run"))
                        .findFirst()
                        .orElseThrow();
        int timeout = Integer.parseInt(run.get(run.indexOf("-t") + 1));

        assertThat(Integer.parseInt(seconds.group(1))).isGreaterThanOrEqualTo(timeout + more);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Dockerfile", "app.Dockerfile"})
    void imagesStartMawashiAndNoShell(String file) throws IOException {
        Matcher instructions = INSTRUCTION.matcher(Files.readString(EXAMPLES.resolve(file)));
        List<String> words = new ArrayList<>();
        while (instructions.find()) {
            words.addAll(strings(load(instructions.group(2)))); // a list, or TERM ends at the shell
        }

        assertParses(words);
    }

    @Test
    void theFolderHoldsWhatIsTestedHere() throws IOException {
        try (var files = Files.list(EXAMPLES)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder(
                            "Dockerfile",
                            "app.Dockerfile",
                            "Procfile",
                            "hpa.yaml", // see ScaleExamplesIT
                            "kamal.yml",
                            "keda.yaml",
                            "kubernetes.yaml",
                            "web.yaml");
        }
    }

    private static void assertParses(List<String> words) {
        assertThat(words.getFirst()).matches(LAUNCHER);
        List<String> flags = words.subList(1, words.size());
        if (LAUNCHERS_OWN.matcher(String.join(" ", flags)).matches()) {
            return;
        }
        assertThatCode(() -> Main.commandLine(Map.of()).parseArgs(flags.toArray(String[]::new)))
                .as(words.toString())
                .doesNotThrowAnyException();
    }

    /// Lists and texts that begin with Mawashi's launcher, as words.
    private static List<List<String>> commandsIn(String file) throws IOException {
        List<List<String>> found = new ArrayList<>();
        collect(load(Files.readString(EXAMPLES.resolve(file))), found);
        return found;
    }

    private static void collect(Object node, List<List<String>> found) {
        switch (node) {
            case Map<?, ?> map -> map.values().forEach(value -> collect(value, found));
            case List<?> list when list.getFirst() instanceof String -> add(strings(list), found);
            case List<?> list -> list.forEach(value -> collect(value, found));
            case String text -> add(List.of(text.split(" ", -1)), found);
            default -> {}
        }
    }

    private static void add(List<String> words, List<List<String>> found) {
        if (LAUNCHER.matcher(words.getFirst()).matches()) {
            found.add(words);
        }
    }

    private static List<String> strings(Object list) {
        assertThat(list).isInstanceOf(List.class);
        return ((List<?>) list).stream().map(String.class::cast).toList();
    }

    private static Object load(String yaml) {
        return new Load(LoadSettings.builder().build()).loadFromString(yaml);
    }
}
