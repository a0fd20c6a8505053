package dev.mawashi.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class CatalogueTest {
    private static final List<Path> TESTS =
            Stream.of("core", "ruby", "web", "server", "mcp", "bench")
                    .map(module -> Path.of("..", module, "src/test"))
                    .toList();

    /// A class of tests, or one of its methods, or a file of tests in Ruby.
    private static final Pattern NAMED =
            Pattern.compile(
                    "\\b([A-Z]\\w*(?:Test|[a-z]IT|Contract)|[a-z]\\w*_test)\\b(?:\\.(\\w+))?");

    private final Catalogue catalogue = new Catalogue();

    @Test
    void eachNumberHasAScenarioOrTheReasonWhyNot() {
        assertThat(catalogue.entries()).hasSize(107);
        assertThat(catalogue.entries().values())
                .allSatisfy(entry ->
                        assertThat(entry.instead().isEmpty())
                                .as(entry.toString())
                                .isEqualTo(!entry.scenarios().isEmpty()));
    }

    @Test
    void eachInputHasATestOrTheReasonWhyNot() {
        Map<String, String> inputs = Catalogue.inputs();
        List<String> numbers = IntStream.rangeClosed(1, 156).mapToObj("B%02d"::formatted).toList();

        assertThat(inputs.keySet()).containsExactlyElementsOf(numbers);
        assertThat(inputs.values()).noneMatch(String::isBlank);
    }

    @Test
    void eachTestThatIsNamedExists() throws IOException {
        Map<String, String> sources = sources();
        List<String> missing = new ArrayList<>();
        Stream.concat(
                        catalogue.entries().values().stream().map(Catalogue.Entry::instead),
                        Catalogue.inputs().values().stream())
                .flatMap(CatalogueTest::named)
                .filter(test -> !exists(test, sources))
                .forEach(test -> missing.add(test.group()));

        assertThat(missing).isEmpty();
    }

    @Test
    void thePageOfSecurityTestsNamesATestForEachNumber() throws IOException {
        Map<String, String> sources = sources();
        List<String> rows =
                Files.readString(Path.of("../docs/security-tests.md"))
                        .lines()
                        .filter(line -> line.startsWith("| B"))
                        .toList();

        assertThat(rows.stream().map(row -> row.split("\\|", -1)[1].strip()))
                .containsExactlyElementsOf(
                        Catalogue.inputs().entrySet().stream()
                                .filter(input -> isOfThePage(input.getKey()))
                                .filter(input -> !input.getValue().startsWith("no "))
                                .map(Map.Entry::getKey)
                                .toList());
        assertThat(rows)
                .allSatisfy(row ->
                        assertThat(named(row))
                                .isNotEmpty()
                                .allMatch(test -> exists(test, sources)));
    }

    private static boolean isOfThePage(String number) {
        int digits = Integer.parseInt(number.substring(1));
        return digits >= 91 && digits <= 122;
    }

    @Test
    void aTestThatIsGoneIsFound() {
        Map<String, String> sources = Map.of("HereIT", "void itWorks() {", "here_test", "");

        assertThat(named("HereIT, here_test, HereIT.itWorks, QUIT, IT"))
                .allMatch(test -> exists(test, sources));
        assertThat(named("GoneIT or gone_test, HereIT.itWork"))
                .hasSize(3)
                .noneMatch(test -> exists(test, sources));
    }

    private static Stream<MatchResult> named(String text) {
        return NAMED.matcher(text).results();
    }

    private static boolean exists(MatchResult test, Map<String, String> sources) {
        String source = sources.get(test.group(1));
        return source != null
                && (test.group(2) == null || source.matches("(?s).*\\b" + test.group(2) + "\\b.*"));
    }

    /// The text of each file of tests, by its name without the ending.
    private static Map<String, String> sources() throws IOException {
        Map<String, String> sources = new HashMap<>();
        for (Path folder : TESTS) {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.filter(CatalogueTest::isSource).toList()) {
                    String name = file.getFileName().toString();
                    // Two modules may have one of the same name.
                    sources.merge(
                            name.substring(0, name.indexOf('.')),
                            Files.readString(file),
                            String::concat);
                }
            }
        }
        return sources;
    }

    private static boolean isSource(Path file) {
        return file.toString().endsWith(".java") || file.toString().endsWith(".rb");
    }
}
