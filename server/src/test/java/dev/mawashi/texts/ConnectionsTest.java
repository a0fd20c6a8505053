package dev.mawashi.texts;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// docs/guide/redis.md names each connection that a server opens to Redis.
final class ConnectionsTest {
    private static final Pattern OPENED =
            Pattern.compile("(?:connect\\(\"|redis\\(\\), \"mawashi-)([a-z]+)\"");
    private static final Pattern SECTION = Pattern.compile("(?s)\n## Connections\n(.*?)\n## ");

    @Test
    void eachConnectionOfAServerIsNamed() {
        Set<String> opened =
                Texts.sources().stream()
                        .filter(source -> !source.toString().matches(".*/(cli|migrate)/.*"))
                        .flatMap(source -> Texts.groups(OPENED, Texts.read(source)))
                        .collect(Collectors.toCollection(TreeSet::new));
        String page = Texts.read(Texts.GUIDE.resolve("redis.md"));
        String section = Texts.groups(SECTION, page).findFirst().orElseThrow();

        assertThat(Texts.quotedInFirstColumn(section)).containsExactlyInAnyOrderElementsOf(opened);
    }
}
