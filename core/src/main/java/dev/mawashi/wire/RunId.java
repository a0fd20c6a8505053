package dev.mawashi.wire;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Names one run of a job that has no jid: `0f3a1c2b9d8e-17`.
///
/// @param process what separates the process from all others: the last part of its identity
/// @param token the job's number in the process's in-flight store
public record RunId(String process, long token) {
    private static final Pattern FORM = Pattern.compile("(.+)-([0-9]{1,18})");

    /// @param owner a process's identity and its epoch; the same run has the same id in any epoch
    public static RunId of(String owner, long token) {
        return new RunId(process(owner), token);
    }

    /// @return empty when the text is no such id
    public static Optional<RunId> parse(String text) {
        Matcher parts = FORM.matcher(text);
        return parts.matches()
                ? Optional.of(new RunId(parts.group(1), Long.parseLong(parts.group(2))))
                : Optional.empty();
    }

    /// Whether the owner is this run's process, in whichever epoch.
    public boolean isOf(String owner) {
        return process.equals(process(owner));
    }

    private static String process(String owner) {
        String identity = owner.split("#", 2)[0];
        return identity.substring(identity.lastIndexOf(':') + 1);
    }

    @Override
    public String toString() {
        return process + "-" + token;
    }
}
