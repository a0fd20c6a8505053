package dev.mawashi.operate;

import dev.mawashi.inspect.FailureReader;
import dev.mawashi.inspect.FailureView;
import dev.mawashi.inspect.JobQuery;
import dev.mawashi.inspect.JobReader;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.tables.FailureEditing;
import dev.mawashi.tables.Keeping;
import dev.mawashi.tables.QueueEditing;
import dev.mawashi.wire.Json;
import dev.mawashi.wire.Payload;
import dev.mawashi.wire.ResqueKeys;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Enqueues Resque's failed jobs anew, or removes their records.
public final class FailureOperator implements Operator {
    private final FailureReader reader;
    private final FailureEditing editing;
    private final InstantSource clock;
    private final DateTimeFormatter times;

    /// @param zone of the times in records, which Resque writes in local time
    /// @param connection for all that it does; whoever made it closes it
    public FailureOperator(
            ResqueKeys keys, RedisConnection connection, InstantSource clock, ZoneId zone) {
        this.clock = clock;
        reader = new FailureReader(connection, keys);
        editing = new FailureEditing(connection, keys);
        times = DateTimeFormatter.ofPattern("yyyy/MM/dd HH:mm:ss zzz", Locale.US).withZone(zone);
    }

    @Override
    public long size() {
        return reader.lists().stream().mapToLong(reader::size).sum();
    }

    @Override
    public long count(JobQuery query, JobReader.Sink progress) {
        return reader.find(query, 0).total();
    }

    @Override
    public Report perform(Change change, JobQuery query, Keeping keeping, Progress progress) {
        return switch (change.act()) {
            case REQUEUE -> requeue(query, progress);
            case REMOVE -> remove(query, progress);
            case CLEAR -> remove(JobQuery.ALL, progress);
            default -> throw new IllegalArgumentException(change.act() + " of failures");
        };
    }

    /// Enqueues jobs anew. As with Resque, their records stay and say so; those that say so already
    /// are left alone.
    private Report requeue(JobQuery query, Progress progress) {
        Report sum = Report.NOTHING;
        long looked = 0;
        for (String list : reader.lists()) {
            long size = reader.size(list);
            long from = 0;
            while (from < size) {
                FailureReader.Looked page = reader.after(list, from, size, query);
                sum = sum.plus(requeue(list, page.found()));
                looked += page.end() - from;
                from = page.end();
                progress.reached(sum, looked);
            }
        }
        return sum;
    }

    private Report requeue(String list, List<FailureReader.Placed> failures) {
        List<FailureEditing.Requeue> jobs = new ArrayList<>();
        int malformed = 0;
        int wanted = 0;
        for (FailureReader.Placed failure : failures) {
            if (failure.failure().isRetried()) {
                continue;
            }
            FailureEditing.Requeue job = job(failure);
            if (job == null) {
                malformed++;
            } else {
                wanted++;
                jobs.add(job);
            }
        }
        int touched = editing.requeue(list, jobs);
        return new Report(touched, wanted - touched, malformed, 0);
    }

    /// Null when the record names no queue or holds no job.
    private FailureEditing.@Nullable Requeue job(FailureReader.Placed placed) {
        FailureView failure = placed.failure();
        Payload fields = failure.fields();
        String queue = failure.text("queue");
        byte[] payload = payload(failure);
        if (fields == null || queue.isEmpty() || payload == null) {
            return null;
        }
        String now = Json.quote(times.format(clock.instant()));
        byte[] changed = fields.with(Map.of("retried_at", now));
        return new FailureEditing.Requeue(
                failure.record(), placed.place(), changed, queue, payload);
    }

    /// The exact bytes, where the record has them only as Base64 beside a stand-in.
    private static byte @Nullable [] payload(FailureView failure) {
        String exact = failure.text("payload_base64");
        if (!exact.isEmpty()) {
            return decoded(exact);
        }
        if (failure.job() == null) {
            return null;
        }
        Payload fields = Objects.requireNonNull(failure.fields());
        return Objects.requireNonNull(fields.raw("payload")).getBytes(StandardCharsets.UTF_8);
    }

    private static byte @Nullable [] decoded(String base64) {
        try {
            return Base64.getDecoder().decode(base64);
        } catch (IllegalArgumentException _) {
            // Not what we write: it counts as malformed, and those behind it go on.
            return null;
        }
    }

    private Report remove(JobQuery query, Progress progress) {
        Report sum = Report.NOTHING;
        long all = 0;
        for (String list : reader.lists()) {
            long left = reader.size(list);
            long from = 0;
            while (left > 0) {
                FailureReader.Looked page = reader.after(list, from, from + left, query);
                long looked = page.end() - from;
                List<QueueEditing.Waiting> found =
                        page.found().stream()
                                .map(one ->
                                        new QueueEditing.Waiting(
                                                one.failure().record(), one.place()))
                                .toList();
                int touched = editing.remove(list, found);
                sum = sum.plus(new Report(touched, found.size() - touched, 0, 0));
                all += looked;
                progress.reached(sum, all);
                from += looked - touched;
                left -= looked;
            }
        }
        return sum;
    }
}
