package dev.mawashi.server;

/// The terminal colours that a message may bring along, as those of Sidekiq 8.1 do even into files.
final class Colours {
    private static final String START = "\u001b[";
    private static final String NUMBERS = "0123456789;";

    private Colours() {}

    /// A text without its colours; other control characters stay.
    static String without(String text) {
        int start = text.indexOf(START);
        if (start < 0) {
            return text;
        }
        StringBuilder plain = new StringBuilder(text.length());
        int from = 0;
        while (start >= 0) {
            int end = end(text, start + START.length());
            plain.append(text, from, end < 0 ? start + START.length() : start);
            from = end < 0 ? start + START.length() : end;
            start = text.indexOf(START, from);
        }
        return plain.append(text, from, text.length()).toString();
    }

    /// @return the place after the `m` that ends a colour's numbers; -1 when the text there is no
    ///   colour
    private static int end(String text, int from) {
        int at = from;
        while (at < text.length() && NUMBERS.indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        return at < text.length() && text.charAt(at) == 'm' ? at + 1 : -1;
    }
}
