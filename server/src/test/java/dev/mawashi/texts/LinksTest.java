package dev.mawashi.texts;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Each link of a page leads to a file of the tree, and its anchor to a heading there.
final class LinksTest {
    private static final Pattern CODE = Pattern.compile("(?ms)^```.*?^```$|`[^`\n]*`");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} (.+)$");

    @Test
    void eachLinkLeadsSomewhere() {
        assertThat(Texts.pages().stream().flatMap(LinksTest::broken)).isEmpty();
    }

    @Test
    void headingsHaveTheAnchorsOfGitHub() {
        assertThat(anchors("# Look and act\n## `queues`, then what?\n### An app's first job\n"))
                .containsExactlyInAnyOrder("look-and-act", "queues-then-what", "an-apps-first-job");
    }

    private static Stream<String> broken(Path page) {
        String text = CODE.matcher(Texts.read(page)).replaceAll("");
        return Texts.groups(LINK, text)
                .filter(link -> !link.contains("://") && !leads(page, link))
                .map(link -> page + ": " + link);
    }

    private static boolean leads(Path page, String link) {
        List<String> parts = List.of(link.split("#", 2));
        Path target = parts.getFirst().isEmpty() ? page : page.resolveSibling(parts.getFirst());
        return Files.exists(target)
                && (parts.size() == 1 || anchors(Texts.read(target)).contains(parts.getLast()));
    }

    private static Set<String> anchors(String page) {
        return Texts.groups(HEADING, page)
                .map(heading ->
                        heading.toLowerCase(Locale.ROOT)
                                .replaceAll("[^\\p{L}\\p{N} _-]", "")
                                .replace(' ', '-'))
                .collect(Collectors.toSet());
    }
}
