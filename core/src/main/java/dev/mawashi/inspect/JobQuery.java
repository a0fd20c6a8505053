package dev.mawashi.inspect;

import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Which jobs are wanted: those that meet every condition given.
///
/// @param jids one of these; none given: any
/// @param jobClass the class, as shown or as written; empty: any
/// @param queue the queue named in the payload; empty: any
/// @param error text in the last error's class or message; empty: any
/// @param text text in the arguments; empty: any
public record JobQuery(Set<String> jids, String jobClass, String queue, String error, String text) {
    /// Every job.
    public static final JobQuery ALL = new JobQuery(Set.of(), "", "", "", "");

    /// What a JSON generator writes as it is, and a Redis pattern takes as it is.
    private static final Pattern NAME = Pattern.compile("[\\w:.@-]+");

    /// The same inside arguments, where a colon may have white space around it.
    private static final Pattern WORD = Pattern.compile("[\\w.@-]+");

    public JobQuery {
        jids = Set.copyOf(jids);
    }

    public boolean isAll() {
        return equals(ALL);
    }

    public boolean matches(JobView job) {
        return (jids.isEmpty() || jids.contains(job.jid()))
                && (jobClass.isEmpty() || job.isOfClass(jobClass))
                && (queue.isEmpty() || job.queue().equals(queue))
                && (error.isEmpty() || job.error().contains(error))
                && (text.isEmpty() || job.searchable().contains(text));
    }

    /// A pattern that the bytes of every wanted job match, so that Redis need not send the others;
    /// empty when there is none that is safe.
    Optional<String> pattern() {
        Stream<String> names =
                Stream.concat(
                        jids.size() == 1 ? jids.stream() : Stream.empty(),
                        Stream.of(jobClass, queue));
        return Stream.concat(
                        names.filter(name -> NAME.matcher(name).matches()),
                        Stream.of(error, text).filter(word -> WORD.matcher(word).matches()))
                .max((a, b) -> Integer.compare(a.length(), b.length()))
                .map(longest -> "*" + longest + "*");
    }
}
