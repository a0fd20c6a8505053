package dev.mawashi.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.Eventually;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ArrivalListsTest {
    private static final Duration AT_ONCE = Duration.ZERO;
    private static final Duration LONG = Duration.ofMinutes(5);

    private final ArrivalLists lists = new ArrivalLists();

    private String marks(String... queues) {
        ArrivalLists.Look look = lists.look(List.of(queues));
        lists.done(look);
        return look.marks();
    }

    @Test
    void claimsKnowWhatTheyMayDoWithEachQueue() {
        assertThat(lists.park("parked", AT_ONCE)).isTrue();
        assertThat(lists.park("begun", AT_ONCE)).isTrue();
        Lease lease = new Lease("begun", "me", 7, new byte[0]);
        lists.begin(lease);

        assertThat(marks("free", "parked", "begun")).isEqualTo("fpb");
        assertThat(lists.isBegun(lease)).isTrue();

        lists.leave("parked", true);
        lists.leave("begun", true);
        assertThat(marks("free", "parked", "begun")).isEqualTo("fff");
        assertThat(lists.isBegun(lease)).isFalse();
    }

    @Test
    void onlyOneParksAtAQueue() {
        assertThat(lists.park("q", AT_ONCE)).isTrue();
        assertThat(lists.park("q", Duration.ofMillis(20))).isFalse();
        assertThat(lists.park("other", AT_ONCE)).isTrue();
        lists.leave("q", true);
        assertThat(lists.park("q", AT_ONCE)).isTrue();
    }

    /// A capsule that always has a claim under way would else keep another from its jobs for good.
    @Test
    void whoWaitsToParkWaitsForTheClaimsUnderWayAndNoLater() throws InterruptedException {
        ArrivalLists.Look first = lists.look(List.of("a", "q"));
        Thread parker = Thread.ofVirtual().start(() -> assertThat(lists.park("q", LONG)).isTrue());
        Eventually.until("it waits", () -> parker.getState() == Thread.State.TIMED_WAITING);

        ArrivalLists.Look second = lists.look(List.of("a", "q"));
        assertThat(second.marks()).isEqualTo("fb");
        lists.done(first);

        assertThat(parker.join(LONG)).isTrue();
        assertThat(marks("q")).isEqualTo("p");
        lists.done(second);
    }

    @Test
    void whatMayLieThereIsKnownToWhoParks() {
        assertThat(lists.isDoubtful("q")).isFalse();
        lists.leave("q", false);
        assertThat(lists.isDoubtful("q")).isTrue();
        lists.leave("q", true);
        assertThat(lists.isDoubtful("q")).isFalse();
    }
}
