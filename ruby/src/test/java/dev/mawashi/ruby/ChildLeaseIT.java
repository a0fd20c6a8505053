package dev.mawashi.ruby;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.Eventually;
import dev.mawashi.broker.Enqueuing;
import dev.mawashi.children.Child;
import dev.mawashi.children.ChildEnd;
import dev.mawashi.children.ChildListener;
import dev.mawashi.children.Noted;
import dev.mawashi.job.Outcome;
import java.nio.LongBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a child does with jobs once the lease on them has ended: others may run them by then.
final class ChildLeaseIT {
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final Duration SHORT = Duration.ofMillis(1);

    @TempDir private Path folder;
    private final Told told = new Told();

    /// Keeps which jobs a child gave back.
    private static final class Told implements ChildListener {
        private final Queue<Long> returned = new ConcurrentLinkedQueue<>();

        @Override
        public void done(LongBuffer idsAndNanos) {}

        @Override
        public void ended(long id, long nanos, Outcome outcome, boolean hadClass) {}

        @Override
        public void returned(long[] ids) {
            LongStream.of(ids).forEach(returned::add);
        }

        @Override
        public void silent(Child child) {}

        @Override
        public @Nullable String jid(long id) {
            return null;
        }

        @Override
        public void lost(ChildEnd end, @Nullable Noted noted) {}
    }

    @Test
    void whatAChildHasNotBegunWhenTheLeaseEndsItGivesBack() {
        try (ChildrenRig rig = new ChildrenRig(folder, 1, 1).start()) {
            assertNothingBeginsWithoutALease(rig);
        }
    }

    @Test
    void soDoesAForker() {
        try (ChildrenRig rig = ChildrenRig.forks(folder, 1).start()) {
            assertNothingBeginsWithoutALease(rig);
        }
    }

    /// As when the server is stopped for longer than its lease: nobody tells the child.
    private void assertNothingBeginsWithoutALease(ChildrenRig rig) {
        Child child = rig.pool().forkAlone(told, 0);
        run(child, LONG, job(1, "GateJob", "gate"));
        Eventually.until("it runs", () -> rig.told("began").size() == 1);
        Child.Job[] late =
                LongStream.range(2, 20)
                        .mapToObj(id -> job(id, "TellJob", "n"))
                        .toArray(Child.Job[]::new);
        run(child, SHORT, late);
        rig.open("gate");
        Eventually.until("they come back", () -> told.returned.size() == late.length);
        assertThat(rig.told("told")).singleElement().asString().startsWith("gate ");

        run(child, LONG, late);
        Eventually.until("they run", () -> rig.told("told").size() == 1 + late.length);
        assertThat(told.returned).hasSameSizeAs(late);
        child.end();
    }

    /// Others may run it by then, and jobs that end one after the other tell nobody that the rest
    /// waits for long.
    @Test
    void whatAChildHasNotBegunComesBackWhenTheProcessHasAnotherName() {
        try (ChildrenRig rig = new ChildrenRig(folder, 1, 1).start()) {
            // So that the child is sent many at once.
            push(rig, "NoopJob", 3_000);
            rig.capsule().awaitEnded(3_000);
            push(rig, "NapJob", 400);
            Eventually.until("it runs", () -> !rig.told("told").isEmpty());

            // What comes back is not to run again, under the new name.
            rig.capsule().pauses().set(Set.of("q"));
            rig.capsule().epoch().advance();

            Eventually.until("the child holds nothing", () -> rig.capsule().capsule().isIdle());
            // Some two hundred were sent, of which a handful begins until they are called back.
            assertThat(rig.told("told")).hasSizeLessThan(100);
        }
    }

    private static void push(ChildrenRig rig, String jobClass, int count) {
        List<byte[]> payloads =
                LongStream.range(0, count)
                        .mapToObj(i -> job(i, jobClass, "n" + i).payload())
                        .toList();
        try (Enqueuing enqueuing = rig.memory().enqueuing()) {
            enqueuing.push("q", payloads);
            assertThat(enqueuing.flush()).isEmpty();
        }
    }

    private static void run(Child child, Duration lease, Child.Job... jobs) {
        child.run(List.of(jobs), System.nanoTime() + lease.toNanos());
    }

    private static Child.Job job(long id, String jobClass, String word) {
        String payload =
                "{\"class\":\"%s\",\"args\":[\"%s\"],\"jid\":\"%s\"}"
                        .formatted(jobClass, word, word);
        return new Child.Job(
                Child.id(id, 0),
                "q".getBytes(StandardCharsets.UTF_8),
                payload.getBytes(StandardCharsets.UTF_8),
                true);
    }
}
