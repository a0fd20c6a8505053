package dev.mawashi.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.acceptance.Ledger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class CheckerTest {
    private final List<Ledger.Line> lines = new ArrayList<>();

    @Test
    void aJobThatIsNowhereIsLostAndOneThatWaitsIsNot() {
        sent("a", "b", "c");
        job(1, "begin", "a", 10);
        job(1, "end", "a", 20);

        Findings found = check(Map.of(), List.of(), Map.of("b", 1));

        assertThat(found.acknowledged()).isEqualTo(3);
        assertThat(found.lost()).containsExactly("c");
        assertThat(found.unexpected()).isZero();
        assertThat(Promise.duplicates(0).broken(found)).containsExactly("1 lost, at most 0");
    }

    @Test
    void whatAKillTookOutOfHandIsRecoveredAndNotDuplicated() {
        sent("a");
        job(1, "begin", "a", 1_000_000);
        job(2, "begin", "a", 8_000_000);
        job(2, "end", "a", 9_000_000);

        Findings found =
                check(
                        Map.of(1L, 3_000_000L),
                        List.of(new Checker.Fault(2_000_000, Set.of("a"))),
                        Map.of());

        assertThat(found.recovered()).isEqualTo(1);
        assertThat(found.recovery()).isEqualTo(Duration.ofMillis(6));
        assertThat(found.duplicated()).isZero();
        assertThat(found.overlapping()).isZero();
        assertThat(found.lost()).isEmpty();
    }

    @Test
    void twoRunsAtATimeOverlapAndTwoEndsAreADuplicate() {
        sent("a");
        job(1, "begin", "a", 10);
        job(2, "begin", "a", 20);
        job(2, "end", "a", 30);
        job(1, "end", "a", 40);

        Findings found = check(Map.of(), List.of(), Map.of());

        assertThat(found.overlapping()).isEqualTo(1);
        assertThat(found.duplicated()).isEqualTo(1);
    }

    @Test
    void onlyWhatHadBegunAndWasInHandAtAFaultMayBeDuplicated() {
        sent("a", "b", "c");
        long second = 1_000_000_000L;
        job(1, "begin", "a", 10);
        job(1, "end", "a", 15);
        job(1, "begin", "b", 10);
        job(1, "end", "b", 15);
        job(2, "begin", "a", 5 * second);
        job(2, "end", "a", 6 * second);
        job(2, "begin", "b", 5 * second);
        job(2, "end", "b", 6 * second);
        job(2, "begin", "c", 5 * second);
        job(2, "end", "c", 6 * second);

        Findings found =
                check(Map.of(), List.of(new Checker.Fault(20, Set.of("a", "c"))), Map.of());

        assertThat(found.duplicated()).isEqualTo(2);
        assertThat(found.running()).isEqualTo(1);
        assertThat(found.strays()).isEqualTo(1);
        assertThat(Promise.duplicatesOfRunning().broken(found))
                .containsExactly(
                        "2 duplicated, at most 1", "1 duplicated and in nobody's hand, at most 0");
    }

    @Test
    void aJobMayBeInOnePlaceOnly() {
        sent("a", "b", "c");
        job(1, "begin", "a", 10);
        job(1, "end", "a", 20);

        Findings found = check(Map.of(), List.of(), Map.of("a", 1, "b", 2, "c", 1));

        assertThat(found.inTwoPlaces()).isEqualTo(2);
    }

    @Test
    void aJobThatNobodySentAndOneThatOvertookAreCounted() {
        sent("a", "b");
        job(1, "begin", "b", 10);
        job(1, "begin", "a", 20);
        job(1, "begin", "x", 30);

        Findings found = check(Map.of(), List.of(), Map.of("a", 1, "b", 1));

        assertThat(found.unexpected()).isEqualTo(1);
        assertThat(found.outOfOrder()).isEqualTo(1);
    }

    private Findings check(
            Map<Long, Long> deaths, List<Checker.Fault> faults, Map<String, Integer> places) {
        return new Checker(lines, deaths, faults, List.of(), new Checker.Left(places, Set.of()))
                .findings();
    }

    private void sent(String... jids) {
        for (String jid : jids) {
            lines.add(new Ledger.Line(9, "invoke", jid, "FaultJob", "1"));
            lines.add(new Ledger.Line(9, "ok", jid, "FaultJob", "2"));
        }
    }

    private void job(long pid, String step, String jid, long at) {
        lines.add(new Ledger.Line(pid, step, jid, "FaultJob", at + " 1795225660717 1"));
    }
}
