package dev.mawashi.fleet;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A question to a process: `<id> <kind>`, and for some kinds a space and the subject
/// (docs/formats/mawashi.md, "Questions and answers").
///
/// @param id 16 lower-case hex digits, unique among the questions of a minute
/// @param kind null when this build does not know it
/// @param about "" where the kind needs no more
public record Question(String id, @Nullable Kind kind, String about) {
    private static final int LENGTH_MAX = 200;
    private static final Pattern FORM =
            Pattern.compile("([0-9a-f]{16}) ([a-z]{1,20})(?: ([!-~]{1,100}))?");

    /// The kinds of questions.
    public enum Kind {
        /// The figures of its Java virtual machine.
        JVM,
        /// Where all of its threads are.
        THREADS,
        /// Where one running job is; about its slot, as the hash of running jobs names it.
        STACK,
        /// Where some of its running jobs are; about a class, or about none for all.
        STACKS,
        /// The processes that run jobs for it.
        CHILDREN,
        /// Has it write a heap to a file of its machine; about a child's pid, or about none for the
        /// server's own.
        HEAP,
        /// Asks it to start new code beside the old.
        RESTART,
        /// Has it read its settings files again.
        RELOAD,
        /// The last restart, and the generations of code whose processes live.
        GENERATIONS;

        /// Whether the answer is JSON; else it is text as people read it.
        public boolean isJson() {
            return this != THREADS;
        }

        /// As it is asked, and as the API names the answer.
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /// Reads a question.
    ///
    /// @return empty when the bytes are none, so that nobody waits for an answer
    static Optional<Question> of(byte[] bytes) {
        if (bytes.length > LENGTH_MAX) {
            return Optional.empty();
        }
        Matcher parts = FORM.matcher(new String(bytes, StandardCharsets.US_ASCII));
        if (!parts.matches()) {
            return Optional.empty();
        }
        String about = parts.group(3);
        return Optional.of(
                new Question(parts.group(1), kind(parts.group(2)), about == null ? "" : about));
    }

    private static @Nullable Kind kind(String word) {
        for (Kind kind : Kind.values()) {
            if (kind.word().equals(word)) {
                return kind;
            }
        }
        return null;
    }

    /// Whether this can be asked about something: other text would be no question.
    static boolean canBeAbout(String about) {
        return about.isEmpty() || about.matches("[!-~]{1,100}");
    }

    String text() {
        String word = kind == null ? "" : kind.word();
        return about.isEmpty() ? id + " " + word : id + " " + word + " " + about;
    }
}
