package dev.mawashi.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A real app: MRI and the sidekiq gem 6.4.1 enqueue 10,000 jobs, Mawashi works them off with the
/// same gem, and Sidekiq's own API then reads exactly what Sidekiq would have left behind.
///
/// Retries would be due in an hour or more, as the classes' `sidekiq_retry_in` says; MRI makes them
/// due at once by Sidekiq's `reschedule`, which finds an entry only if its bytes are those that
/// Ruby would write.
///
/// Long: ten thousand jobs; ComparisonIT has a small app that leaves what Sidekiq leaves.
@Tag("long")
@Tag("stack")
final class SidekiqClientIT {
    /// Without one of its own a process has its directory's name.
    private static final String TAG = Path.of("").toAbsolutePath().getFileName().toString();

    @TempDir Path folder;

    @Test
    void sidekiqsApiReadsExactlyWhatTenThousandJobsLeft() {
        try (Workplace place = new Workplace(folder)) {
            Child server =
                    place.run(Workplace.DEBIAN_GEMS, "-c", "10", "-q", "default", "-q", "low");
            assertThat(place.lines("push.rb")).isEmpty();
            server.awaitLog("working on");
            String time = place.hasSidekiq(8) ? "Integer" : "Float";

            awaitFirstRuns(place);
            assertThat(place.lines("figures.rb"))
                    .contains(
                            "stats workers_size 5",
                            "stats processes_size 1",
                            "process 1",
                            "process 1 x " + server.pid() + " 10 5 default low false " + TAG,
                            "work 5",
                            "work 5 x default Integer GateJob gate")
                    .contains("retry 400")
                    .contains(flaky(0, "NilClass", time))
                    .contains(doomed("retry", 0, 0, "NilClass", time))
                    .contains(doomed("retry", 0, 1, "NilClass", time));

            retryAll(place, 3_000, 5_009);
            awaitSecondRuns(place);
            assertThat(place.lines("figures.rb"))
                    .contains("retry 300", "dead 100")
                    .contains(flaky(1, time, time));

            retryAll(place, 10_018, 10_018);
            place.await("third runs", () -> count(place, "end", "FlakyJob") == 300);
            place.open("gate");
            place.await("the gate is open", () -> count(place, "end", "GateJob") == 5);
            server.signal("TERM");
            assertThat(server.awaitExit()).as(server::log).isZero();

            checkRuns(place, server);
            checkWhatIsLeft(place.lines("figures.rb"), time);
        }
    }

    private static void awaitFirstRuns(Workplace place) {
        place.await("5 jobs wait at the gate", () -> count(place, "start", "GateJob") == 5);
        place.await("first failures", () -> place.number("ZCARD", "retry") == 400);
        place.await("due jobs run", () -> count(place, "end", "DueJob") == 400);
        place.await("plain jobs run", () -> count(place, "end", "PlainJob") == 8_000);
        place.await("exact jobs run", () -> count(place, "end", "ExactJob") == 1_000);
        awaitBeat(place, 5);
    }

    private static void awaitSecondRuns(Workplace place) {
        place.await("second failures", () -> count(place, "start", "FlakyJob") == 600);
        place.await("deaths", () -> place.number("ZCARD", "dead") == 100);
        place.await("second retries", () -> place.number("ZCARD", "retry") == 300);
    }

    private static long count(Workplace place, String step, String jobClass) {
        return place.ledger().count(step, jobClass);
    }

    /// Waits until the process has written a record that says so many jobs run.
    private static void awaitBeat(Workplace place, int busy) {
        place.await(
                "a beat with " + busy + " busy",
                () ->
                        place.strings("SMEMBERS", "processes").stream()
                                .map(name -> place.bytes("HGET", text(name), "busy"))
                                .anyMatch(found -> text(found).equals("" + busy)));
    }

    private static String text(byte[] bytes) {
        return new String(bytes, UTF_8);
    }

    /// Makes all retries due.
    ///
    /// @param earliestSeconds in which the first of them would have been due
    /// @param latestSeconds in which the last would have been due
    private static void retryAll(Workplace place, int earliestSeconds, int latestSeconds) {
        List<String> seconds = place.lines("hurry.rb");
        assertThat(seconds).hasSize(2);
        // The test itself may have taken some of that time.
        assertThat(Integer.parseInt(seconds.getFirst()))
                .isBetween(earliestSeconds - 500, earliestSeconds);
        assertThat(Integer.parseInt(seconds.getLast()))
                .isBetween(latestSeconds - 500, latestSeconds);
    }

    private static String flaky(int retryCount, String retriedAt, String time) {
        return ("retry 300 x FlakyJob %d \"FlakyJob::Trouble\" \"run %d – no luck\""
                        + " %s %s %s low [] nil")
                .formatted(retryCount, retryCount + 1, time, retriedAt, time);
    }

    private static String doomed(String set, int retryCount, int n, String retriedAt, String time) {
        return ("%s 50 x DoomedJob %d \"ArgumentError\" \"no n%d\\u0001\\b\\f \\\"終\\\" \\\\\""
                        + " %s %s %s default [\"doomed\"] 2")
                .formatted(set, retryCount, n, time, retriedAt, time);
    }

    private static void checkWhatIsLeft(List<String> figures, String time) {
        // 9,900 first runs, 600 more of FlakyJob, 100 more of DoomedJob.
        assertThat(figures)
                .contains(
                        "stats processed 10600",
                        "stats failed 895",
                        "stats enqueued 0",
                        "stats scheduled_size 100",
                        "stats retry_size 0",
                        "stats dead_size 100",
                        "stats workers_size 0",
                        "stats processes_size 0")
                .contains("queue default 0", "queue low 0", "retry 0", "process 0", "work 0")
                .contains("scheduled 100 x PlainJob [\"later\"] nil")
                .contains(doomed("dead", 1, 0, time, time), doomed("dead", 1, 1, time, time));
    }

    private static void checkRuns(Workplace place, Child server) {
        Ledger ledger = place.ledger();
        assertThat(ledger.lines("server"))
                .extracting(Ledger.Line::pid, Ledger.Line::subject, Ledger.Line::jobClass)
                .containsExactly(Tuple.tuple(server.pid(), "jruby", place.sidekiqVersion()));
        assertThat(ledger.lines("client")).noneMatch(line -> line.pid() == server.pid());
        Map<Long, Long> jobsByRuns =
                ledger.byJid("start").values().stream()
                        .collect(Collectors.groupingBy(runs -> runs, Collectors.counting()));
        assertThat(jobsByRuns).isEqualTo(Map.of(1L, 9_500L, 2L, 100L, 3L, 300L));
        assertThat(ledger.byJid("end").values()).hasSize(9_705).containsOnly(1L);
        assertThat(ledger.lines("error")).hasSize(895);
        Set<String> around =
                ledger.lines("start").stream().map(Ledger.Line::rest).collect(Collectors.toSet());
        assertThat(around).containsExactlyInAnyOrder("around-default", "around-low");
    }
}
