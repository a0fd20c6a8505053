package dev.mawashi.inspect;

import dev.mawashi.tables.LimitedReads;
import dev.mawashi.wire.Redaction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Jobs out of Redis's replies.
final class Entries {
    private Entries() {}

    /// @param passed how many entries there are between that end of the queue and the first
    static List<JobEntry> queued(
            List<byte[]> payloads, long passed, LimitedReads.Side side, Redaction redaction) {
        List<JobEntry> entries = new ArrayList<>(payloads.size());
        for (byte[] payload : payloads) {
            long place = passed + entries.size();
            entries.add(
                    new JobEntry(
                            JobView.of(payload, redaction),
                            Double.NaN,
                            side == LimitedReads.Side.LEFT ? place : -1 - place));
        }
        return entries;
    }

    /// @param pairs of a sorted set, each a payload and its score
    static List<JobEntry> scored(List<?> pairs, Redaction redaction) {
        List<JobEntry> entries = new ArrayList<>(pairs.size() / 2);
        for (int i = 0; i < pairs.size(); i += 2) {
            JobView job = JobView.of((byte[]) pairs.get(i), redaction);
            entries.add(new JobEntry(job, score(text(pairs.get(i + 1)))));
        }
        return entries;
    }

    private static double score(String text) {
        return switch (text) {
            case "inf" -> Double.POSITIVE_INFINITY;
            case "-inf" -> Double.NEGATIVE_INFINITY;
            default -> Double.parseDouble(text);
        };
    }

    static List<JobEntry> matching(List<JobEntry> entries, JobQuery query) {
        return entries.stream().filter(query.selection()).toList();
    }

    static long bytes(List<JobEntry> entries) {
        return entries.stream().mapToLong(entry -> entry.job().payload().length).sum();
    }

    /// How many entries to look at next, after a page of so many that held these.
    static int nextPage(int page, List<JobEntry> entries) {
        return bytes(entries) > JobReader.PAGE_BYTES
                ? Math.max(1, page / 2)
                : Math.min(JobReader.PAGE, page * 2);
    }

    static String text(@Nullable Object reply) {
        return new String((byte[]) Objects.requireNonNull(reply), StandardCharsets.UTF_8);
    }

    static List<?> list(@Nullable Object reply) {
        return (List<?>) Objects.requireNonNull(reply);
    }
}
