package dev.mawashi.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// docs/guide/configuration.md has the keys of `config/mawashi.yml` that the reader knows, and no
/// others.
final class ConfigurationPageTest {
    private static final Path PAGE = Path.of("../docs/guide/configuration.md");
    private static final Pattern EXAMPLE = Pattern.compile("(?ms)^```yaml\n(.*?)^```$");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| (`.+?`) \\|");
    private static final Pattern KEY = Pattern.compile("`([a-z_]+)`");
    private static final String STRANGER = "zzzzzzzzzzzz";
    private static final Pattern KNOWN = Pattern.compile("known are (.*)");

    @Test
    void theTopHasItsKeys() throws IOException {
        assertKeys("At the top", STRANGER + ": 1");
    }

    @Test
    void capsulesAndQueuesHaveTheirKeys() throws IOException {
        assertKeys("Keys of a pool", "queues: { a: { " + STRANGER + ": 1 } }");
        assertKeys("Keys of a pool", "capsules: { a: { " + STRANGER + ": 1 } }");
    }

    @Test
    void runnersHaveTheSameButTheirName() throws IOException {
        List<String> known = known("runners: { mri: { " + STRANGER + ": 1 } }");
        assertThat(keys("Keys of a pool")).containsAll(known).hasSize(known.size() + 1);
        assertThat(known).doesNotContain("runner");
    }

    @Test
    void resqueHasItsKeys() throws IOException {
        assertKeys("Keys of `resque`", "resque: { " + STRANGER + ": 1 }");
    }

    @Test
    void redactHasItsKeys() throws IOException {
        assertKeys("Keys of `redact`", "redact: [{ " + STRANGER + ": 1 }]");
    }

    @Test
    void schedulesHaveTheirKeys() throws IOException {
        assertKeys("Keys of `cron`", "cron: { a: { " + STRANGER + ": 1 } }");
    }

    @Test
    void theExampleIsAccepted() throws IOException {
        Matcher example = EXAMPLE.matcher(Files.readString(PAGE));
        assertThat(example.find()).isTrue();
        RunnerChoice choice = MawashiFile.parse(example.group(1), "mawashi.yml");
        assertThat(choice.queues()).containsOnlyKeys("reports");
    }

    private static void assertKeys(String heading, String text) throws IOException {
        assertThat(keys(heading)).containsExactlyElementsOf(new TreeSet<>(known(text)));
    }

    /// What the section's table has in its first column.
    private static TreeSet<String> keys(String heading) throws IOException {
        String page = Files.readString(PAGE);
        int start = page.indexOf("\n## " + heading + "\n");
        assertThat(start).as("the section %s", heading).isPositive();
        int end = page.indexOf("\n## ", start + 1);
        String section = end < 0 ? page.substring(start) : page.substring(start, end);
        TreeSet<String> keys = new TreeSet<>();
        ROW.matcher(section)
                .results()
                .flatMap(row -> KEY.matcher(row.group(1)).results())
                .forEach(key -> keys.add(key.group(1)));
        return keys;
    }

    /// The keys that the reader names when it meets one that it does not know.
    private static List<String> known(String text) {
        ConfigFailure failure =
                catchThrowableOfType(
                        ConfigFailure.class, () -> MawashiFile.parse(text, "mawashi.yml"));
        Matcher known = KNOWN.matcher(String.valueOf(failure.getMessage()));
        assertThat(known.find()).as(failure.getMessage()).isTrue();
        return List.of(known.group(1).split(", ", -1));
    }
}
