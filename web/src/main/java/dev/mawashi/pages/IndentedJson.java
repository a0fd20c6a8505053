package dev.mawashi.pages;

/// JSON over several lines, as people read it. Strings and numbers keep their own characters.
final class IndentedJson {
    /// Longer text stays as it is: nobody reads it, and it would only grow.
    private static final int LENGTH_MAX = 64 << 10;

    /// A shorter value stays on one line.
    private static final int LINE_MAX = 60;

    private static final int DEPTH_MAX = 100;
    private static final String STEP = "  ";

    private final String json;
    private final StringBuilder text = new StringBuilder();
    private int at;

    private IndentedJson(String json) {
        this.json = json;
    }

    /// @param json one valid value
    static String of(String json) {
        if (json.length() <= LINE_MAX || json.length() > LENGTH_MAX || depth(json) > DEPTH_MAX) {
            return json;
        }
        IndentedJson indented = new IndentedJson(json);
        int depth = 0;
        while (indented.at < json.length()) {
            depth = indented.step(depth);
        }
        return indented.text.toString();
    }

    private static int depth(String json) {
        int depth = 0;
        int most = 0;
        for (int i = 0; i < json.length(); i++) {
            char c = json.charAt(i);
            depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
            most = Math.max(most, depth);
        }
        return most;
    }

    /// Takes what comes next.
    ///
    /// @return how deep the rest stands
    private int step(int depth) {
        char c = json.charAt(at);
        switch (c) {
            case '"' -> copyString();
            case '{', '[' -> {
                at++;
                text.append(c);
                return isEnd() ? depth + 1 : line(depth + 1);
            }
            case '}', ']' -> {
                at++;
                boolean isEmpty = text.charAt(text.length() - 1) == (c == '}' ? '{' : '[');
                if (!isEmpty) {
                    line(depth - 1);
                }
                text.append(c);
                return depth - 1;
            }
            case ',' -> {
                at++;
                text.append(c);
                return line(depth);
            }
            case ':' -> {
                at++;
                text.append(": ");
            }
            case ' ', '\t', '\r', '\n' -> at++;
            default -> {
                at++;
                text.append(c);
            }
        }
        return depth;
    }

    private boolean isEnd() {
        while (at < json.length() && json.charAt(at) <= ' ') {
            at++;
        }
        return at < json.length() && (json.charAt(at) == '}' || json.charAt(at) == ']');
    }

    private int line(int depth) {
        text.append('\n').append(STEP.repeat(Math.max(0, depth)));
        return depth;
    }

    private void copyString() {
        int end = at + 1;
        while (end < json.length() && json.charAt(end) != '"') {
            end += json.charAt(end) == '\\' ? 2 : 1;
        }
        end = Math.min(json.length(), end + 1);
        text.append(json, at, end);
        at = end;
    }
}
