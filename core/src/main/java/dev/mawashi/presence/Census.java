package dev.mawashi.presence;

import dev.mawashi.dispatch.Capsule;
import dev.mawashi.dispatch.Running;
import dev.mawashi.fetch.QueueOrder;
import dev.mawashi.tables.ProcessBeat;
import dev.mawashi.wire.Json;
import dev.mawashi.wire.Payload;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What there is to say about this process: who it is and what its capsules do.
public final class Census {
    private final ProcessName name;
    private final List<Capsule> capsules;
    private final Supplier<String> trouble;
    private final OwnRecord own;
    private final String info;
    private final ResidentMemory memory = new ResidentMemory();
    private final ShownPayloads shown = new ShownPayloads();

    /// @param labels the app's own; `mawashi` comes before them
    /// @param startedAt when the process started, for the record
    /// @param trouble why jobs cannot run now; "" when they can
    /// @param own what only our records say
    public Census(
            ProcessName name,
            List<String> labels,
            List<Capsule> capsules,
            Instant startedAt,
            Supplier<String> trouble,
            OwnRecord own) {
        this.own = own;
        this.trouble = trouble;
        this.name = name;
        this.capsules = List.copyOf(capsules);
        this.info = info(labels, startedAt);
    }

    public String identity() {
        return name.identity();
    }

    /// See `Capsule.onIdle`; of any capsule.
    void onIdle(Runnable listener) {
        capsules.forEach(capsule -> capsule.onIdle(listener));
    }

    long ended() {
        return capsules.stream().mapToLong(capsule -> capsule.counters().ended()).sum();
    }

    long failed() {
        return capsules.stream().mapToLong(capsule -> capsule.counters().failed()).sum();
    }

    ProcessBeat take(long rttMicros, Instant now) {
        List<ProcessBeat.Work> work = new ArrayList<>();
        long nanos = System.nanoTime();
        List<Placed> all = capsules.stream().flatMap(Census::placed).toList();
        List<byte[]> payloads = shown.of(all.stream().map(one -> one.running().lease()).toList());
        for (int i = 0; i < all.size(); i++) {
            Running running = all.get(i).running();
            long seconds = (nanos - running.startedNanos()) / 1_000_000_000L;
            work.add(
                    new ProcessBeat.Work(
                            running.slot(),
                            running.lease().queue(),
                            payloads.get(i),
                            now.getEpochSecond() - seconds,
                            all.get(i).place()));
        }
        boolean isQuiet = capsules.stream().allMatch(Capsule::isQuiet);
        return new ProcessBeat(
                identity(),
                info,
                concurrency(),
                isQuiet,
                rttMicros,
                memory.kib(),
                trouble.get(),
                own.json(),
                work);
    }

    private record Placed(Running running, ProcessBeat.Place place) {}

    private static Stream<Placed> placed(Capsule capsule) {
        return capsule.running().stream()
                .map(running -> {
                    String thread = running.pid() == 0 ? running.thread() : "";
                    return new Placed(
                            running,
                            new ProcessBeat.Place(capsule.runner(), thread, running.pid()));
                });
    }

    /// A line for each job that runs now: thread, class, jid, queue and since when.
    public List<String> describeWork() {
        long now = System.nanoTime();
        return capsules.stream()
                .flatMap(capsule -> capsule.running().stream())
                .map(running -> describe(running, now - running.startedNanos()))
                .toList();
    }

    private static String describe(Running running, long nanos) {
        return String.format(
                Locale.ROOT,
                "%s has run %s of queue \"%s\" for %.1f s",
                running.thread(),
                job(Payload.tryParse(running.lease().payload())),
                running.lease().queue(),
                nanos / 1e9);
    }

    private static String job(@Nullable Payload payload) {
        return payload == null
                ? "a payload that is no job"
                : payload.jobClass() + " " + payload.text("jid");
    }

    private int concurrency() {
        return capsules.stream().mapToInt(capsule -> capsule.settings().slots()).sum();
    }

    /// The superset of what Sidekiq 6.4 to 8.1 read (docs/formats/sidekiq.md, "Process records").
    private String info(List<String> labels, Instant startedAt) {
        Set<String> queues = new LinkedHashSet<>();
        List<String> weights = new ArrayList<>();
        List<String> described = new ArrayList<>();
        for (Capsule capsule : capsules) {
            QueueOrder order = capsule.settings().queues();
            order.names().forEach(queue -> queues.add(Json.quote(queue)));
            weights.add(weights(order));
            described.add(describe(capsule));
        }
        return String.format(
                Locale.ROOT,
                "{\"hostname\":%s,\"started_at\":%d.%06d,\"pid\":%d,\"tag\":%s,"
                        + "\"concurrency\":%d,\"queues\":[%s],\"weights\":[%s],"
                        + "\"capsules\":{%s},\"labels\":[%s],\"identity\":%s,"
                        + "\"version\":%s,\"embedded\":false}",
                Json.quote(name.host()),
                startedAt.getEpochSecond(),
                startedAt.getNano() / 1_000,
                name.pid(),
                Json.quote(name.tag()),
                concurrency(),
                String.join(",", queues),
                String.join(",", weights),
                String.join(",", described),
                Stream.concat(Stream.of("mawashi"), labels.stream())
                        .distinct()
                        .map(Json::quote)
                        .collect(Collectors.joining(",")),
                Json.quote(identity()),
                Json.quote(name.version()));
    }

    /// A capsule's member of `capsules`.
    private static String describe(Capsule capsule) {
        QueueOrder order = capsule.settings().queues();
        return String.format(
                Locale.ROOT,
                "%s:{\"concurrency\":%d,\"mode\":\"%s\",\"weights\":%s}",
                Json.quote(capsule.settings().name()),
                capsule.settings().slots(),
                order.mode().name().toLowerCase(Locale.ROOT),
                weights(order));
    }

    private static String weights(QueueOrder order) {
        return order.weights().entrySet().stream()
                .map(queue -> Json.quote(queue.getKey()) + ":" + queue.getValue())
                .collect(Collectors.joining(",", "{", "}"));
    }
}
