package dev.mawashi.inspect;

import dev.mawashi.wire.ByteSearch;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// A query for the jobs that meet every given condition. Texts count literally.
///
/// @param jids one of these; none given: any
/// @param jobClass the class, as shown or as written; empty: any
/// @param queue the queue named in the payload; empty: any
/// @param error text in the last error's class or message; empty: any
/// @param text text in the arguments; empty: any
/// @param tag one of the job's tags; empty: any
/// @param made when it was created, or enqueued where it does not say; a job that says neither is
///   in no range but the whole
/// @param due its time in a set: when it is due, or died
public record JobQuery(
        Set<String> jids,
        String jobClass,
        String queue,
        String error,
        String text,
        String tag,
        TimeRange made,
        TimeRange due) {
    /// Every job.
    public static final JobQuery ALL = new JobQuery(Set.of(), "", "", "", "");

    /// What a JSON generator writes as it is, and a Redis pattern takes as it is.
    private static final Pattern NAME = Pattern.compile("[\\w:.@-]+");

    /// The same inside arguments, where a colon may have white space around it.
    private static final Pattern WORD = Pattern.compile("[\\w.@-]+");

    public JobQuery {
        jids = Set.copyOf(jids);
    }

    /// With any tag, of any time.
    public JobQuery(Set<String> jids, String jobClass, String queue, String error, String text) {
        this(jids, jobClass, queue, error, text, "", TimeRange.ALL, TimeRange.ALL);
    }

    public boolean isAll() {
        return equals(ALL);
    }

    /// The same for jobs with one of these ids.
    public JobQuery withJids(Set<String> ids) {
        return new JobQuery(ids, jobClass, queue, error, text, tag, made, due);
    }

    boolean matches(JobEntry entry) {
        return (due.isAll() || due.hasScore(entry.score())) && matches(entry.job());
    }

    /// Whether a job meets all but `due`.
    public boolean matches(JobView job) {
        return (jids.isEmpty() || jids.contains(job.jid()))
                && (jobClass.isEmpty() || job.isOfClass(jobClass))
                && (queue.isEmpty() || job.queue().equals(queue))
                && (error.isEmpty() || job.error().contains(error))
                && (text.isEmpty() || job.hasText(text))
                && (tag.isEmpty() || job.tags().contains(tag))
                && (made.isAll() || job.made().filter(made::has).isPresent());
    }

    /// Whether a failure meets `jobClass`, `queue`, `error` and `text`; it has nothing else.
    boolean matches(FailureView failure) {
        return (jobClass.isEmpty() || jobClass.equals(failure.jobClass()))
                && (queue.isEmpty() || queue.equals(failure.text("queue")))
                && (error.isEmpty() || failure.error().contains(error))
                && (text.isEmpty() || failure.hasText(text));
    }

    /// Keeps the entries that match. Most others are known by their bytes, without reading them as
    /// JSON.
    Predicate<JobEntry> selection() {
        String word = word().orElse("");
        return entry -> (word.isEmpty() || isIn(entry.job().payload(), word)) && matches(entry);
    }

    private static boolean isIn(byte[] payload, String word) {
        if (payload.length > JobView.WHOLE_BYTES_MAX) {
            byte[] wanted = word.getBytes(StandardCharsets.US_ASCII);
            return ByteSearch.isIn(payload, 0, payload.length, wanted);
        }
        // Each byte becomes a character, and the word has none beyond ASCII.
        return new String(payload, StandardCharsets.ISO_8859_1).contains(word);
    }

    /// A pattern that the bytes of every wanted job match, so that Redis need not send the others;
    /// empty when there is none that is safe.
    Optional<String> pattern() {
        return word().map(word -> "*" + word + "*");
    }

    /// What the bytes of every wanted job contain.
    private Optional<String> word() {
        Stream<String> names =
                Stream.concat(
                        jids.size() == 1 ? jids.stream() : Stream.empty(),
                        Stream.of(jobClass, queue, tag));
        return Stream.concat(
                        names.filter(name -> NAME.matcher(name).matches()),
                        Stream.of(error, text).filter(word -> WORD.matcher(word).matches()))
                .max((a, b) -> Integer.compare(a.length(), b.length()));
    }
}
