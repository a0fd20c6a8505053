package dev.mawashi.fetch;

import java.util.regex.Pattern;

/// A pattern for queue names as Ruby's `File.fnmatch?` takes it: `*`, `?`, `[a-z]`, `[!a-z]`, and
/// `\` before what stands for itself. Braces do. A leading period is matched by a period alone.
final class Glob {
    private static final String WILD = "*?[]{}";

    private final Pattern pattern;
    private final boolean takesLeadingPeriod;

    Glob(String glob) {
        pattern = Pattern.compile(regex(glob), Pattern.DOTALL);
        takesLeadingPeriod = glob.startsWith(".") || glob.startsWith("\\.");
    }

    /// Whether Resque looks for such names among the queues that there are.
    static boolean isWild(String queue) {
        return queue.chars().anyMatch(c -> WILD.indexOf(c) >= 0);
    }

    boolean matches(String queue) {
        return (takesLeadingPeriod || !queue.startsWith(".")) && pattern.matcher(queue).matches();
    }

    private static String regex(String glob) {
        StringBuilder regex = new StringBuilder();
        int i = 0;
        while (i < glob.length()) {
            char c = glob.charAt(i);
            int end = c == '[' ? classEnd(glob, i) : -1;
            if (end > 0) {
                regex.append(charClass(glob.substring(i + 1, end)));
                i = end;
            } else if (c == '\\' && i + 1 < glob.length()) {
                i++;
                regex.append(Pattern.quote(glob.substring(i, i + 1)));
            } else {
                switch (c) {
                    case '*' -> regex.append(".*");
                    case '?' -> regex.append('.');
                    // Opened and never closed, it matches nothing in Ruby.
                    case '[' -> regex.append("(?!)");
                    default -> regex.append(Pattern.quote(String.valueOf(c)));
                }
            }
            i++;
        }
        return regex.toString();
    }

    private static int classEnd(String glob, int from) {
        for (int i = from + 1; i < glob.length(); i++) {
            char c = glob.charAt(i);
            if (c == '\\') {
                i++;
            } else if (c == ']' && i > from + 1) {
                return i;
            }
        }
        return -1;
    }

    private static String charClass(String inner) {
        boolean isNegated = inner.startsWith("!") || inner.startsWith("^");
        StringBuilder out = new StringBuilder(isNegated ? "[^" : "[");
        for (int i = isNegated ? 1 : 0; i < inner.length(); i++) {
            char c = inner.charAt(i);
            boolean isEscaped = c == '\\' && i + 1 < inner.length();
            if (isEscaped) {
                i++;
                c = inner.charAt(i);
            }
            if (!Character.isLetterOrDigit(c) && (isEscaped || c != '-')) {
                out.append('\\');
            }
            out.append(c);
        }
        return out.append(']').toString();
    }
}
