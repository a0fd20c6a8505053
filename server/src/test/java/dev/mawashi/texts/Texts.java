package dev.mawashi.texts;

import static java.util.regex.Pattern.MULTILINE;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/// The tree's texts, and the sources that they speak of.
public final class Texts {
    public static final Path ROOT = Path.of("..");
    public static final Path GUIDE = ROOT.resolve("docs/guide");

    private static final Set<String> NOT_OURS =
            Set.of(".git", ".mawashi", "dist", "target", "node_modules");
    private static final List<String> MODULES = List.of("core", "ruby", "web", "server", "mcp");
    private static final Pattern ROW = Pattern.compile("^\\| (.+?) \\|", MULTILINE);

    /// `mawashi queues jobs default --limit 2`, in a line of code or between backticks.
    private static final Pattern CALL =
            Pattern.compile(
                    "(?<!SETUSER )(?<![\\w/.@-])(?:\\./|/\\S+/)?mawashi ([a-z][^`\n#|&>$]*)");

    private static final Pattern QUOTED = Pattern.compile("`([^`]+)`");

    /// Texts between quotes that follow one another, with a plus and the end of a line between
    /// them, are one.
    private static final Pattern JOINT = Pattern.compile("(?<!\\\\)\"\\s*\\+\\s*\"");

    private static final Pattern LITERAL = Pattern.compile("\"((?:[^\"\\\\\n]|\\\\.)*)\"");

    private Texts() {}

    /// All pages, those of examples and measurements among them.
    static List<Path> pages() {
        return files(ROOT, ".md");
    }

    /// The pages that users read: the README, the guide and the examples'.
    public static List<Path> usersPages() {
        return Stream.of(
                        Stream.of(ROOT.resolve("README.md")),
                        files(GUIDE, ".md").stream(),
                        files(ROOT.resolve("examples"), ".md").stream())
                .flatMap(pages -> pages)
                .toList();
    }

    /// The Java sources of what is released.
    static List<Path> sources() {
        return MODULES.stream()
                .map(module -> ROOT.resolve(module).resolve("src/main/java"))
                .flatMap(folder -> files(folder, ".java").stream())
                .toList();
    }

    /// The Ruby sources of what is released.
    static List<Path> rubySources() {
        return files(ROOT.resolve("ruby/src/main/ruby"), ".rb");
    }

    public static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The calls of `mawashi` on a page, without that word.
    public static List<String> calls(Path page) {
        String text = read(page);
        return all(CALL, text)
                .filter(call -> isCode(text, call.start()))
                .map(call -> call.group(1).strip())
                .toList();
    }

    private static boolean isCode(String text, int at) {
        String before = text.substring(text.lastIndexOf('\n', at) + 1, at);
        return before.startsWith("    ") || before.chars().filter(c -> c == '`').count() % 2 == 1;
    }

    /// The texts between quotes in a Java source.
    static List<String> literals(Path source) {
        String joined = JOINT.matcher(read(source)).replaceAll("");
        return groups(LITERAL, joined).map(text -> text.replace("\\\"", "\"")).toList();
    }

    /// What stands between backticks in the first column of a page's tables.
    static List<String> quotedInFirstColumn(String page) {
        return groups(ROW, page).flatMap(Texts::quoted).toList();
    }

    static Stream<String> quoted(String text) {
        return groups(QUOTED, text);
    }

    /// The first group of each place that matches.
    public static Stream<String> groups(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(found -> found.group(1));
    }

    static Stream<MatchResult> all(Pattern pattern, String text) {
        return pattern.matcher(text).results();
    }

    private static List<Path> files(Path folder, String end) {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(file -> file.toString().endsWith(end) && isOurs(file))
                    .map(Path::normalize)
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isOurs(Path file) {
        return StreamSupport.stream(file.spliterator(), false)
                .noneMatch(part -> NOT_OURS.contains(part.toString()));
    }
}
