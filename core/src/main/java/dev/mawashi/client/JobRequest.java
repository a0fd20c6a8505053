package dev.mawashi.client;

import java.time.Instant;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A job that somebody asks for, by a command or over HTTP, before it has an id.
///
/// @param jobClass Ruby constant path or Java class name. Whether the app has it only its servers
///   know
/// @param queue of 1 to 200 characters, none of them a control character, no space at either end
/// @param args a JSON array, kept byte for byte
/// @param at when it is due; null means now
/// @param retry `true`, `false`, or how often at most: JSON, as in a payload
/// @param tags at most 100, each as `queue`
public record JobRequest(
        String jobClass,
        String queue,
        String args,
        @Nullable Instant at,
        String retry,
        List<String> tags) {
    public static final String QUEUE = "default";
    public static final String RETRY = "true";

    private static final int LENGTH_MAX = 200;
    private static final int TAGS_MAX = 100;
    private static final String LETTERS = "[\\p{L}\\p{M}\\p{N}_$]*";
    private static final String CONSTANT = "\\p{Lu}" + LETTERS;

    /// `A::B` or `com.acme.B`.
    private static final Pattern CLASS =
            Pattern.compile("([\\p{L}_]" + LETTERS + "\\.)*" + CONSTANT + "(::" + CONSTANT + ")*");

    private static final Pattern RETRIES = Pattern.compile("true|false|0|[1-9]\\d{0,8}");

    /// @throws IllegalArgumentException with the remedy when one of them is none
    public JobRequest {
        tags = List.copyOf(tags);
        if (jobClass.length() > LENGTH_MAX || !CLASS.matcher(jobClass).matches()) {
            throw new IllegalArgumentException(
                    "class "
                            + shown(jobClass)
                            + " is no class name: write Report, Billing::Report or"
                            + " com.acme.Report");
        }
        requireName("queue", queue);
        if (!RETRIES.matcher(retry).matches()) {
            throw new IllegalArgumentException(
                    "retry "
                            + shown(retry)
                            + " is neither true nor false nor a number of retries such as 5");
        }
        if (tags.size() > TAGS_MAX) {
            throw new IllegalArgumentException(tags.size() + " tags are more than " + TAGS_MAX);
        }
        tags.forEach(tag -> requireName("tag", tag));
    }

    private static void requireName(String what, String name) {
        boolean isName =
                !name.isEmpty()
                        && name.length() <= LENGTH_MAX
                        && name.strip().length() == name.length()
                        && name.codePoints().noneMatch(JobRequest::isNoCharacter);
        if (!isName) {
            throw new IllegalArgumentException(
                    what
                            + " "
                            + shown(name)
                            + " is no name: give 1 to "
                            + LENGTH_MAX
                            + " characters, no control character, no space at either end");
        }
    }

    private static boolean isNoCharacter(int point) {
        return Character.isISOControl(point) || Character.getType(point) == Character.SURROGATE;
    }

    /// On one line, and no longer than one.
    private static String shown(String text) {
        String start = text.length() <= 50 ? text : text.substring(0, 50) + "…";
        return '"' + start.replaceAll("[\\p{Cntrl}\\p{Cs}]", "?") + '"';
    }
}
