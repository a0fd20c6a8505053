package dev.mawashi.presence;

import dev.mawashi.dispatch.Capsule;
import dev.mawashi.dispatch.Running;
import dev.mawashi.fetch.QueueOrder;
import dev.mawashi.fleet.ProcessBeat;
import dev.mawashi.fleet.ProcessInfo;
import dev.mawashi.fleet.ProcessRecord;
import dev.mawashi.fleet.WorkEntry;
import dev.mawashi.wire.Payload;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Gathers all that this process says of itself: who it is and what its capsules do.
public final class Census {
    private final ProcessName name;
    private final List<Capsule> capsules;
    private final Supplier<String> trouble;
    private final OwnReading own;
    private final List<String> labels;
    private final Instant startedAt;
    private final ResidentMemory memory = new ResidentMemory();
    private final ShownPayloads shown = new ShownPayloads();

    /// @param labels the app's own; `mawashi` comes before them
    /// @param startedAt when the process started, for the record
    /// @param trouble why jobs cannot run now; "" when they can
    /// @param own what only our records say, measured
    public Census(
            ProcessName name,
            List<String> labels,
            List<Capsule> capsules,
            Instant startedAt,
            Supplier<String> trouble,
            OwnReading own) {
        this.own = own;
        this.trouble = trouble;
        this.name = name;
        this.capsules = List.copyOf(capsules);
        this.labels = List.copyOf(labels);
        this.startedAt = startedAt;
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
        List<WorkEntry> work = work(now);
        boolean isQuiet = capsules.stream().allMatch(Capsule::isQuiet);
        return new ProcessBeat(
                new ProcessRecord(
                        identity(),
                        info(),
                        concurrency(),
                        work.size(),
                        Optional.of(now),
                        rttMicros,
                        isQuiet,
                        memory.kib(),
                        trouble.get(),
                        true,
                        own.take()),
                work);
    }

    private List<WorkEntry> work(Instant now) {
        List<WorkEntry> work = new ArrayList<>();
        long nanos = System.nanoTime();
        List<Placed> all = capsules.stream().flatMap(Census::placed).toList();
        List<byte[]> payloads = shown.of(all.stream().map(one -> one.running().lease()).toList());
        for (int i = 0; i < all.size(); i++) {
            Running running = all.get(i).running();
            long seconds = (nanos - running.startedNanos()) / 1_000_000_000L;
            work.add(
                    new WorkEntry(
                            running.slot(),
                            running.lease().queue(),
                            payloads.get(i),
                            Optional.of(Instant.ofEpochSecond(now.getEpochSecond() - seconds)),
                            all.get(i).place(),
                            ""));
        }
        return work;
    }

    private record Placed(Running running, WorkEntry.Place place) {}

    private static Stream<Placed> placed(Capsule capsule) {
        return capsule.running().stream()
                .map(running -> {
                    String thread = running.pid() == 0 ? running.thread() : "";
                    return new Placed(
                            running, new WorkEntry.Place(capsule.runner(), thread, running.pid()));
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

    private ProcessInfo info() {
        return new ProcessInfo(
                name.host(),
                name.pid(),
                Optional.of(startedAt),
                name.tag(),
                capsules.stream()
                        .flatMap(capsule -> capsule.settings().queues().names().stream())
                        .distinct()
                        .toList(),
                Stream.concat(Stream.of("mawashi"), labels.stream()).distinct().toList(),
                name.version(),
                false,
                capsules.stream().map(Census::queues).toList());
    }

    private static ProcessInfo.CapsuleQueues queues(Capsule capsule) {
        QueueOrder order = capsule.settings().queues();
        return new ProcessInfo.CapsuleQueues(
                capsule.settings().name(),
                capsule.settings().slots(),
                order.mode().name().toLowerCase(Locale.ROOT),
                order.weights());
    }
}
