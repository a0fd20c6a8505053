package dev.mawashi.enqueue;

import dev.mawashi.broker.AtomicEnqueuing;
import dev.mawashi.client.JobSink;
import dev.mawashi.client.NewJob;
import dev.mawashi.client.PayloadForm;
import dev.mawashi.desk.Desks;
import dev.mawashi.desk.RedisAway;
import dev.mawashi.http.Answer;
import dev.mawashi.http.Call;
import dev.mawashi.http.Role;
import dev.mawashi.http.Route;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.wire.JsonFields;
import dev.mawashi.wire.Payload;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// The route by which programs enqueue jobs.
///
/// All jobs of a request and the receipt of its idempotency key are written by one script. So a
/// caller who got no answer sends the request again with the same key: whether the first one came
/// to Redis before, comes at the same time or never does, the jobs are enqueued once.
public final class EnqueueRoutes {
    private static final String JSON = "application/json";

    private final Desks desks;
    private final UnaryOperator<JobSink> tracing;
    private final JobsBody body;

    /// @param tracing makes a sink report what goes into it, where somebody traces
    public EnqueueRoutes(Desks desks, UnaryOperator<JobSink> tracing, PayloadForm form) {
        this.desks = desks;
        this.tracing = tracing;
        body = new JobsBody(form);
    }

    public List<Route> routes() {
        return List.of(Route.post("/api/v1/jobs", Role.ENQUEUER, this::answer));
    }

    private Answer answer(Call call) {
        try {
            requireForm(call);
            RequestReceipt receipt = RequestReceipt.of(call);
            List<NewJob> jobs = body.read(call.body());
            return desks.read(desk -> enqueue(desk.connection(), jobs, receipt));
        } catch (EnqueueRefusal refusal) {
            return Answer.problem(refusal.status(), refusal.why());
        } catch (RedisAway away) {
            return nothing(away);
        }
    }

    private static void requireForm(Call call) {
        String type = call.contentType().split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
        if (!type.equals(JSON)) {
            throw new EnqueueRefusal(415, "send the header Content-Type: " + JSON);
        }
        if (!call.query().isEmpty()) {
            throw EnqueueRefusal.wrong("this address has no parameters: put all into the body");
        }
    }

    private static Answer nothing(RedisAway away) {
        return Answer.problem(
                away.status(),
                "nothing was enqueued, send it again once this is over: " + away.sentence());
    }

    private Answer enqueue(
            RedisConnection connection, List<NewJob> jobs, @Nullable RequestReceipt receipt) {
        List<String> jids = jobs.stream().map(EnqueueRoutes::jid).toList();
        AtomicEnqueuing enqueuing = new AtomicEnqueuing(connection);
        AtomicReference<Optional<String>> earlier = new AtomicReference<>(Optional.empty());
        JobSink sink =
                sent ->
                        earlier.set(
                                enqueuing.enqueue(
                                        sent.stream().map(EnqueueRoutes::stored).toList(),
                                        receipt == null ? null : receipt.with(jids)));
        try {
            tracing.apply(sink).enqueue(jobs);
        } catch (RedisFailure failure) {
            return failed(failure, receipt != null);
        }
        return receipt != null && earlier.get().isPresent()
                ? told(receipt.jids(earlier.get().get()), true)
                : told(jids, false);
    }

    private static String jid(NewJob job) {
        return String.valueOf(Payload.parse(job.payload()).text("jid"));
    }

    private static AtomicEnqueuing.Job stored(NewJob job) {
        return new AtomicEnqueuing.Job(job.queue(), job.payload(), job.at());
    }

    private static Answer told(List<String> jids, boolean isReplayed) {
        return Answer.json(
                200,
                new JsonFields().texts("jids", jids).flag("replayed", isReplayed).toString()
                        + "\n");
    }

    private static Answer failed(RedisFailure failure, boolean hasKey) {
        if (failure.kind() != RedisFailure.Kind.UNKNOWN) {
            return nothing(RedisAway.of(failure));
        }
        return Answer.problem(
                503,
                "Redis did not report whether it was enqueued ("
                        + failure.reason()
                        + "): "
                        + (hasKey
                                ? "send it again with the same Idempotency-Key, so that it is"
                                        + " enqueued once"
                                : "look for it before you send it again, since it had no"
                                        + " Idempotency-Key"));
    }
}
