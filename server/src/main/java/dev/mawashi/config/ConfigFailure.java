package dev.mawashi.config;

import java.util.List;

/// A config file or flag that cannot be followed; the message names the place and the remedy.
public final class ConfigFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    @SuppressWarnings("serial") // nobody serializes it
    private final List<String> mistakes;

    public ConfigFailure(String message) {
        this(List.of(message));
    }

    /// @param mistakes a line for each, one at least; the message is the first one
    ConfigFailure(List<String> mistakes) {
        super(first(mistakes));
        this.mistakes = List.copyOf(mistakes);
    }

    private static String first(List<String> mistakes) {
        int more = mistakes.size() - 1;
        return mistakes.getFirst()
                + (more == 0 ? "" : " (and " + more + " more: mawashi config --check)");
    }

    /// All that is wrong, a line for each.
    public List<String> mistakes() {
        return mistakes;
    }
}
