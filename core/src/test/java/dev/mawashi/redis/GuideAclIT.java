package dev.mawashi.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The guide's ACL has each command that stands in a script or in the sources.
final class GuideAclIT {
    private static final Path SCRIPTS = Path.of("src/main/resources/dev/mawashi");
    private static final Path SOURCES = Path.of("src/main/java/dev/mawashi");
    private static final Pattern CALLED = Pattern.compile("redis\\.p?call\\(\\s*'([A-Za-z]+)'");
    private static final Pattern WORD = Pattern.compile("['\"]([A-Z]{3,})['\"]");

    /// Words that are commands too, and stand for something else.
    private static final Set<String> OTHERS = Set.of("readonly");

    @Test
    void aServersUserMayCallWhatTheScriptsCall() throws IOException {
        Set<String> called = found(SCRIPTS.resolve("broker"), ".lua", CALLED);

        assertThat(called).hasSizeGreaterThan(20);
        assertThat(GuideAcl.ofServers()).containsAll(called);
    }

    @Test
    void theGuideNamesEachCommandThatIsSent() throws IOException {
        Set<String> sent = found(SCRIPTS, ".lua", WORD);
        sent.addAll(found(SCRIPTS, ".lua", CALLED));
        sent.addAll(found(SOURCES, ".java", WORD));
        sent.retainAll(commands());
        sent.removeAll(OTHERS);

        assertThat(sent).hasSizeGreaterThan(60);
        assertThat(GuideAcl.ofAll()).containsAll(sent);
    }

    /// What Redis has for commands.
    private static List<String> commands() {
        try (RedisServerForTests server = new RedisServerForTests();
                RedisConnection redis = server.connect()) {
            return ((List<?>) Objects.requireNonNull(redis.call("COMMAND", "LIST")))
                    .stream()
                            .map(name -> new String((byte[]) name, StandardCharsets.US_ASCII))
                            .toList();
        }
    }

    private static Set<String> found(Path folder, String ending, Pattern pattern)
            throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(ending))
                    .flatMap(file -> pattern.matcher(read(file)).results())
                    .map(one -> one.group(1).toLowerCase(Locale.ROOT))
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
