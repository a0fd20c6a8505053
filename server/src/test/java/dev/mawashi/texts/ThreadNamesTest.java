package dev.mawashi.texts;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// docs/threads.md names each thread that the code starts, and says truly which are virtual.
final class ThreadNamesTest {
    /// `Thread.ofVirtual()...name("mawashi-end-" + ...)`, up to the number.
    private static final Pattern BUILT =
            Pattern.compile(
                    "Thread\\.of(Virtual|Platform)\\(\\)[^;{]*?\\.name\\(\\s*\"mawashi-([a-z-]+)");

    private static final Pattern LOOP =
            Pattern.compile("Loop\\.(virtual|platform)\\(\\s*\"([a-z-]+)\"");

    /// What follows keys by a platform loop.
    private static final Pattern FOLLOWER = Pattern.compile("new Follower\\(\\s*\"([a-z]+)\"");

    /// What moves jobs that are due, by a platform loop.
    private static final Pattern DUE = Pattern.compile("new DueLoop\\(\\s*\"([a-z]+)\"");

    /// A capsule's threads: `settings.threadName("slot")`.
    private static final Pattern OF_CAPSULE =
            Pattern.compile("(?:threadName|loopName)\\(\"([a-z]+)\"\\)");

    /// The HTTP server numbers its threads itself.
    private static final Pattern SET = Pattern.compile("setName\\(\"mawashi-([a-z]+)\"\\)");

    private static final Pattern ROW = Pattern.compile("(?m)^\\| (`mawashi-.*?) \\|(.*?)\\|");
    private static final Pattern NAMED = Pattern.compile("`mawashi-([a-z-]+?)(?:-[n1])?`");

    @Test
    void eachThreadThatIsStartedIsNamed() {
        Set<String> started = new TreeSet<>();
        Texts.sources().stream().map(Texts::read).forEach(source -> collect(source, started));
        assertThat(named()).containsExactlyElementsOf(started);
    }

    private static void collect(String source, Set<String> started) {
        Stream.of(BUILT, LOOP)
                .flatMap(pattern -> Texts.all(pattern, source))
                .map(found -> name(found.group(2), found.group(1)))
                .forEach(started::add);
        Stream.of(OF_CAPSULE, SET, DUE, FOLLOWER)
                .flatMap(pattern -> Texts.groups(pattern, source))
                .forEach(kind -> started.add(name(kind, "")));
    }

    private static Set<String> named() {
        return Texts.all(ROW, Texts.read(Texts.ROOT.resolve("docs/threads.md")))
                .flatMap(row ->
                        Texts.groups(NAMED, row.group(1))
                                .map(words -> name(words, row.group(2).strip())))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String name(String words, String kind) {
        return words.replaceFirst("-$", "") + (kind.equalsIgnoreCase("virtual") ? " virtual" : "");
    }
}
