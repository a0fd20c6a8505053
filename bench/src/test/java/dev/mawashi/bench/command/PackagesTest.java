package dev.mawashi.bench.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Holds the packages to their order: commands use the rig and the report, and neither knows them.
final class PackagesTest {
    private static final Path SOURCES = Path.of("src/main/java/dev/mawashi/bench");
    private static final Pattern OURS = Pattern.compile("import dev\\.mawashi\\.bench\\.(\\w+)\\.");

    @ParameterizedTest
    @CsvSource({"command, chart report rig", "report, chart rig", "rig, ''", "chart, ''"})
    void aPackageImportsOnlyThoseBelowIt(String name, String below) throws IOException {
        try (Stream<Path> files = Files.list(SOURCES.resolve(name))) {
            for (Path file : files.filter(path -> path.toString().endsWith(".java")).toList()) {
                Matcher imported = OURS.matcher(Files.readString(file));
                while (imported.find()) {
                    assertThat(List.of(below.split(" ")))
                            .as("%s", file)
                            .contains(imported.group(1));
                }
            }
        }
    }
}
