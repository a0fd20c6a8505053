package dev.mawashi.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.texts.Texts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// docs/guide/commands.md has what the commands' help says.
final class CommandsPageTest {
    private static final Path PAGE = Texts.GUIDE.resolve("commands.md");
    private static final String MARK =
            "<!-- made of the commands' help: CommandsPageTest says how -->\n\n";

    private static final String REMEDY =
            "write it anew: mvn -q verify -pl server -am -Dtest=CommandsPageTest"
                    + " -Dcommands=write -Dsurefire.failIfNoSpecifiedTests=false";

    @Test
    void thePageHasWhatHelpSays() throws IOException {
        String page = Texts.read(PAGE);
        String above = page.substring(0, page.indexOf(MARK) + MARK.length());
        String made = above + CommandsPage.text();
        if (System.getProperty("commands", "").equals("write")) {
            Files.writeString(PAGE, made);
        }
        assertThat(onlyIn(made, Texts.read(PAGE))).as("%s; help alone has", REMEDY).isEmpty();
        assertThat(onlyIn(Texts.read(PAGE), made)).as("%s; the page alone has", REMEDY).isEmpty();
        assertThat(Texts.read(PAGE).equals(made)).as("%s; the order differs", REMEDY).isTrue();
    }

    /// A list of commands has the first line of each one's description alone.
    @Test
    void eachCommandIsListedWithAWholeSentence() {
        assertThat(CommandsPage.firstLines())
                .hasSizeGreaterThan(40)
                .allMatch(line -> line.endsWith("."));
    }

    private static List<String> onlyIn(String one, String other) {
        Set<String> lines = other.lines().collect(Collectors.toSet());
        return one.lines().filter(line -> !lines.contains(line)).toList();
    }
}
