package dev.mawashi.texts;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// docs/guide/log.md quotes lines that the code writes, and has each that an event brings.
final class LogLinesTest {
    private static final String PAGE = Texts.read(Texts.GUIDE.resolve("log.md"));
    private static final Set<String> EVENTS = Set.of("Event.java", "EventLog.java");
    private static final Pattern ROW =
            Pattern.compile("(?m)^\\| ((?:DEBUG|INFO|WARN|ERROR) .+?) \\|");

    /// What stands for words that differ: capitals on the page, `%s` in the code.
    private static final Pattern DIFFERS = Pattern.compile("\\b[A-Z]+\\b(?![a-z])|\\.\\.\\.|=");

    private static final Pattern FORMAT = Pattern.compile("(?: [a-z]+=)?%[^a-z]*[a-z]");
    private static final Pattern CLAUSE = Pattern.compile("[:,;(=\"\\\\]");
    private static final Pattern EDGES = Pattern.compile("^[ :,()]+|[ :,()]+$");

    @Test
    void eachLineOfThePageIsWritten() {
        String code =
                Stream.concat(
                                Texts.sources().stream()
                                        .flatMap(java -> Texts.literals(java).stream()),
                                Texts.rubySources().stream().map(Texts::read))
                        .collect(Collectors.joining("\n"));
        List<String> quoted =
                Texts.groups(ROW, PAGE)
                        .flatMap(Texts::quoted)
                        .flatMap(LogLinesTest::parts)
                        .toList();

        assertThat(quoted).hasSizeGreaterThan(60);
        assertThat(quoted).filteredOn(part -> !code.contains(part)).isEmpty();
    }

    @Test
    void eachLineOfAnEventIsOnThePage() {
        List<String> lines =
                Texts.sources().stream()
                        .filter(source -> EVENTS.contains(source.getFileName().toString()))
                        .flatMap(source -> Texts.literals(source).stream())
                        .filter(line -> clauses(line).findAny().isPresent())
                        .toList();

        assertThat(lines).hasSizeGreaterThan(30);
        assertThat(lines).filteredOn(line -> clauses(line).noneMatch(PAGE::contains)).isEmpty();
    }

    private static Stream<String> parts(String quoted) {
        return Arrays.stream(DIFFERS.split(quoted))
                .map(part -> EDGES.matcher(part).replaceAll(""))
                .filter(part -> part.length() > 3);
    }

    /// The runs of at least three words in a line, each cut at its first mark.
    private static Stream<String> clauses(String line) {
        return Arrays.stream(FORMAT.split(line))
                .map(part -> CLAUSE.split(part, 2)[0].strip())
                .filter(part -> part.split(" ", -1).length > 2);
    }
}
