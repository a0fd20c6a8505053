package dev.mawashi.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mawashi.Recorded;
import java.util.List;
import org.junit.jupiter.api.Test;

class ResqueKeysTest {
    private static final ResqueKeys KEYS = new ResqueKeys("resque");
    private static final String WORKER = "vm:77:high,low";

    @Test
    void theyAreThoseThatResqueWrote() {
        List<String> recorded =
                Recorded.lines("resque-worker-3.0.0.txt").stream()
                        .map(line -> line.substring(0, line.indexOf(' ')))
                        .toList();
        assertThat(
                        List.of(
                                KEYS.queues(),
                                KEYS.statFailed(),
                                KEYS.statFailed(WORKER),
                                KEYS.statProcessed(),
                                KEYS.statProcessed(WORKER),
                                KEYS.worker(WORKER),
                                KEYS.workerStarted(WORKER),
                                KEYS.workers(),
                                KEYS.heartbeats()))
                .isEqualTo(recorded);
    }

    @Test
    void failureListsAreTheOneOrAQueuesOwn() {
        assertThat(KEYS.failed()).isEqualTo("resque:failed");
        assertThat(KEYS.failureList(ResqueKeys.failedName("low"))).isEqualTo("resque:low_failed");
        assertThat(KEYS.failedQueues()).isEqualTo("resque:failed_queues");
    }

    @Test
    void resqueSchedulerPutsTheNamespaceBeforeItsLockTwice() {
        assertThat(KEYS.masterLock("")).isEqualTo("resque:resque:resque_scheduler_master_lock");
        assertThat(KEYS.masterLock("shop"))
                .isEqualTo("resque:resque:shop:resque_scheduler_master_lock");
        assertThat(KEYS.delayed("17")).isEqualTo("resque:delayed:17");
        assertThat(new String(KEYS.timestamps("{}".getBytes(UTF_8)), UTF_8))
                .isEqualTo("resque:timestamps:{}");
    }

    @Test
    void ourKeysShareTheQueuesClusterSlotAndNothingWithSidekiqs() {
        QueueLayout layout = new ResqueKeys("app:jobs").layout();
        assertThat(layout.queue("low")).isEqualTo("app:jobs:queue:low");
        assertThat(layout.inflight("low", "h:1:n#0"))
                .isEqualTo("mw:{app:jobs:queue:low}:inflight:h:1:n#0");
        assertThat(layout.served()).isEqualTo("mw:{app:jobs}:queues");
    }

    @Test
    void aNamespaceMayNotBeEmptyOrSidekiqs() {
        assertThatThrownBy(() -> new ResqueKeys(" ")).hasMessageContaining("no name");
        assertThatThrownBy(() -> new ResqueKeys("queue")).hasMessageContaining("\"queue\"");
        assertThatThrownBy(() -> new ResqueKeys("queue:x")).hasMessageContaining("\"queue:x\"");
        assertThat(new ResqueKeys("queues").queues()).isEqualTo("queues:queues");
    }
}
