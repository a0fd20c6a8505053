package dev.mawashi;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The things that one file must not hold, and what to write instead.
final class TidyRules {
    static final int FILE_BYTES_MAX = 1 << 20;
    private static final int FILE_LINES_MAX = 350;
    private static final int METHOD_LINES_MAX = 40;

    /// @param allowedIn matches the paths where the text is right all the same
    record Ban(String text, String instead, Pattern allowedIn) {}

    private static final Pattern CLOCKS =
            Pattern.compile("/src/test/|^bench/|/dev/mawashi/(server|cli)/");

    /// Other libraries' forms, byte for byte, where jobs pass one by one; and what reads one.
    private static final Pattern JSON =
            Pattern.compile("/src/test/|^bench/|/(FailureRecord|PayloadForm|Inspector)\\.java$");

    static final List<Ban> BANS =
            List.of(
                    new Ban("Thread" + ".sleep", "await a named signal with a limit", CLOCKS),
                    new Ban("Instant" + ".now(", "take an InstantSource", CLOCKS),
                    new Ban("System" + ".currentTimeMillis(", "take an InstantSource", CLOCKS),
                    new Ban("Math" + ".random", "take a RandomGenerator", CLOCKS),
                    new Ban(
                            "catch (Throw" + "able",
                            "catch what the call can throw",
                            Pattern.compile(
                                    "/src/test/|/dev/mawashi/(dispatch|java|ruby)/|/UnixDatagrams|/Libc")),
                    new Ban("\\\"" + ":%", "write JSON with JsonFields", JSON),
                    new Ban("\",\\\"", "write JSON with JsonFields", JSON),
                    new Ban("@" + "Disabled", "repair or delete the test", Pattern.compile("^$")));

    private static final Pattern SOURCE = Pattern.compile("\\.(java|rb|lua|sh|py|js|css|html)$");
    private static final Pattern OPEN_POINT = Pattern.compile("\\bTO" + "DO\\b(?! ?\\(?#\\d)");
    private static final int HEAD_LINES_MAX = 12;
    private static final Pattern HEAD_START = Pattern.compile("^( {4}| {8})[a-zA-Z<]");
    private static final Pattern NO_METHOD =
            Pattern.compile(
                    "^ *(if|for|while|switch|try|catch|return|throw|do|else|synchronized \\()\\b"
                            + "|\\b(class|record|interface|enum) | = |->");

    private static final Pattern QUESTION =
            Pattern.compile("^( *(?:///|#|--)) (What|Where|How|Which|Who|Why|When|Whether)\\b");
    private static final Pattern TYPE =
            Pattern.compile("^ *([a-z-]+ )*(class|record|interface|enum|module|package) ");

    private static final String LITERAL = "(?:\"\"\"(?s:.*?)\"\"\"|\"(?:[^\"\\\\\\n]|\\\\.)*+\")";

    /// Texts that are formatted by the machine's locale.
    private static final Pattern FORMATTED =
            Pattern.compile(
                    "(?:LITERAL[\\s+]*+)++\\)?\\s*(?:\\.formatted\\(|::formatted)|(?:printf|format)\\(\\s*LITERAL"
                            .replace("LITERAL", LITERAL));

    private static final Pattern NUMBER =
            Pattern.compile("%(?:\\d+\\$)?[-,0+# (]*\\d*(?:\\.\\d+)?[dfeg]");

    private TidyRules() {}

    static boolean isSource(String path) {
        return SOURCE.matcher(path).find() || path.equals("CHANGELOG.md");
    }

    static List<String> complaints(String path, String text) {
        List<String> complaints = new ArrayList<>();
        List<String> lines = text.lines().toList();
        if (path.equals("CHANGELOG.md")) {
            if (!text.contains("## [Unreleased]") && !text.contains("## Unreleased")) {
                complaints.add(path + ": has no section Unreleased");
            }
            return complaints;
        }
        if (lines.size() > FILE_LINES_MAX) {
            complaints.add(
                    path
                            + ": "
                            + lines.size()
                            + " lines, at most "
                            + FILE_LINES_MAX
                            + ": split it by idea");
        }
        for (int i = 0; i < lines.size(); i++) {
            judgeLine(path, i + 1, lines.get(i), complaints);
        }
        if (path.endsWith(".java")) {
            judgeMethods(path, lines, complaints);
        }
        if (path.contains("/src/main/java/")) {
            judgeNumbers(path, text, complaints);
        }
        if (!path.contains("/test/")) {
            judgeDocs(path, lines, complaints);
        }
        if (path.startsWith("ruby/src/main/ruby/")
                && path.endsWith(".rb")
                && !text.startsWith("# frozen_string_literal: true")) {
            complaints.add(path + ": begins without # frozen_string_literal: true");
        }
        return complaints;
    }

    private static void judgeLine(String path, int number, String line, List<String> complaints) {
        String place = path + ":" + number + ": ";
        for (Ban ban : BANS) {
            if (line.contains(ban.text()) && !ban.allowedIn().matcher(path).find()) {
                complaints.add(place + ban.text() + " is banned: " + ban.instead());
            }
        }
        if (OPEN_POINT.matcher(line).find()) {
            complaints.add(place + "an open point needs its issue number: TO" + "DO #12");
        }
    }

    private static void judgeNumbers(String path, String text, List<String> complaints) {
        String code = Pattern.compile("(?m)^ *//.*$").matcher(text).replaceAll("");
        Matcher found = FORMATTED.matcher(code);
        while (found.find()) {
            if (NUMBER.matcher(found.group().replace("%%", "")).find()) {
                long line = code.substring(0, found.start()).chars().filter(c -> c == '\n').count();
                complaints.add(
                        "%s:%d: some locales have digits of their own: write %%s, or format by Locale.ROOT"
                                .formatted(path, line + 1));
            }
        }
    }

    /// Of types, packages, and scripts that begin with their doc.
    private static void judgeDocs(String path, List<String> lines, List<String> complaints) {
        boolean isScript = path.endsWith(".lua");
        for (int first = 0; first < lines.size(); first++) {
            Matcher doc = QUESTION.matcher(lines.get(first));
            if (!doc.find() || first > 0 && lines.get(first - 1).startsWith(doc.group(1))) {
                continue;
            }
            if (isScript && first == 0
                    || TYPE.matcher(documented(lines, first, doc.group(1))).find()) {
                complaints.add(
                        "%s:%d: a type's doc begins with the thing or its verb, not with %s"
                                .formatted(path, first + 1, doc.group(2)));
            }
        }
    }

    /// The next line that is indented like the doc, without annotations.
    private static String documented(List<String> lines, int first, String start) {
        String indent = start.substring(0, start.length() - start.strip().length());
        Pattern begins = Pattern.compile("^" + indent + "[A-Za-z]");
        return lines.stream()
                .skip(first)
                .filter(line -> begins.matcher(line).find())
                .findFirst()
                .orElse("");
    }

    /// A method ends at the first line that closes a brace at the depth of its head; the formatter
    /// sees to the depth being the indent.
    private static void judgeMethods(String path, List<String> lines, List<String> complaints) {
        for (int start = 0; start < lines.size(); start++) {
            int open = bodyOf(lines, start);
            if (open < 0) {
                continue;
            }
            String line = lines.get(start);
            String close = " ".repeat(line.length() - line.stripLeading().length()) + "}";
            int end = open + 1;
            while (end < lines.size() - 1 && !lines.get(end).startsWith(close)) {
                end++;
            }
            int length = end - start + 1;
            if (length > METHOD_LINES_MAX) {
                complaints.add(
                        "%s:%d: a method of %d lines, at most 40: give a thought its own method"
                                .formatted(path, start + 1, length));
            }
        }
    }

    /// The line that opens the body of the method whose head begins at `start`, or -1 if none does.
    private static int bodyOf(List<String> lines, int start) {
        if (!HEAD_START.matcher(lines.get(start)).find()) {
            return -1;
        }
        StringBuilder head = new StringBuilder();
        for (int i = start; i < Math.min(lines.size(), start + HEAD_LINES_MAX); i++) {
            String line = lines.get(i);
            head.append(line).append(' ');
            if (line.endsWith(";") || line.endsWith("}")) {
                return -1;
            }
            if (line.endsWith("{")) {
                return head.indexOf("(") >= 0 && !NO_METHOD.matcher(head).find() ? i : -1;
            }
        }
        return -1;
    }
}
