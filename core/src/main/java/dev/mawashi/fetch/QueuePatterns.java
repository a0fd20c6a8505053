package dev.mawashi.fetch;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// Queues as Resque's `QUEUES` names them: names and patterns in strict order, and with `!` before
/// them such as are left out (worker.rb, `queues=`). Immutable.
public final class QueuePatterns {
    private final List<String> wanted = new ArrayList<>();
    private final List<Glob> skipped = new ArrayList<>();
    private final boolean isFixed;
    private final String text;

    /// @param queues with commas between them
    /// @throws IllegalArgumentException when no queue is named, or a pattern is none
    public QueuePatterns(String queues) {
        text = queues;
        for (String queue : queues.split(",", -1)) {
            String name = queue.strip();
            if (name.isEmpty()) {
                throw new IllegalArgumentException(
                        "\"" + queues + "\" names a queue without a name");
            }
            if (name.startsWith("!")) {
                skipped.add(glob(name.substring(1)));
            } else {
                wanted.add(name);
            }
        }
        if (wanted.isEmpty()) {
            throw new IllegalArgumentException(
                    "\"" + queues + "\" leaves queues out and names none");
        }
        wanted.forEach(QueuePatterns::glob);
        isFixed = skipped.isEmpty() && wanted.stream().noneMatch(Glob::isWild);
    }

    private static Glob glob(String pattern) {
        try {
            return new Glob(pattern);
        } catch (java.util.regex.PatternSyntaxException _) {
            throw new IllegalArgumentException("\"" + pattern + "\" is no pattern for queues");
        }
    }

    /// What the queues are called without those that are left out, as a worker's id has it.
    public String describe() {
        return String.join(",", wanted);
    }

    /// As they were given.
    @Override
    public String toString() {
        return text;
    }

    /// The queues to look into, in order, none twice.
    ///
    /// @param existing those that there are, sorted. With a pattern or a queue left out, a plain
    ///   name counts only if it is among them
    public List<String> expand(List<String> existing) {
        Set<String> queues = new LinkedHashSet<>(isFixed ? wanted : List.of());
        if (!isFixed) {
            for (String pattern : wanted) {
                Glob glob = new Glob(pattern);
                existing.stream()
                        .filter(queue -> glob.matches(queue) && !isSkipped(queue))
                        .forEach(queues::add);
            }
        }
        return List.copyOf(queues);
    }

    private boolean isSkipped(String queue) {
        return skipped.stream().anyMatch(skip -> skip.matches(queue));
    }
}
