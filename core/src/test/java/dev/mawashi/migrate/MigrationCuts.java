package dev.mawashi.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.redis.FaultProxy;
import dev.mawashi.redis.RedisFailure;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/// Migrations whose connection is cut at each of the steps that they send, before Redis sees it and
/// after Redis has done it. One that ends there is called again; one that goes on sends the step
/// again. Then each job is in the other Redis once, in its order.
///
/// @param load what goes
record MigrationCuts(MigrationRig rig, CutLoad load, Duration patience) {

    /// A way to cut a connection at a burst.
    private enum Cut {
        BEFORE,
        AFTER;

        void at(FaultProxy proxy, int burst) {
            switch (this) {
                case BEFORE -> proxy.cutBeforeSend(burst);
                case AFTER -> proxy.cutAfterReplyBytes(burst, 0);
            }
        }
    }

    /// One test for each of the two Redises, and each way.
    Stream<DynamicTest> tests() {
        return Stream.of(true, false)
                .flatMap(isSource -> Stream.of(Cut.values()).map(cut -> test(isSource, cut)));
    }

    private DynamicTest test(boolean isSource, Cut cut) {
        String name = "at the %s one, %s a step".formatted(isSource ? "old" : "new", cut);
        return DynamicTest.dynamicTest(
                name,
                () -> {
                    int burst = 1;
                    while (isCut(isSource, cut, burst)) {
                        load.check(rig, name + " at " + burst);
                        burst++;
                    }
                    assertThat(burst).isGreaterThan(20);
                });
    }

    /// @return false when the migration had fewer steps
    private boolean isCut(boolean isSource, Cut cut, int burst) {
        rig.source.call("FLUSHALL");
        rig.target.call("FLUSHALL");
        load.fill(rig);
        var server = isSource ? rig.oldServer : rig.newServer;
        try (FaultProxy proxy = new FaultProxy(server.ownAddress())) {
            cut.at(proxy, burst);
            Ends ends =
                    isSource
                            ? rig.ends(proxy.address(), rig.newServer.ownAddress())
                            : rig.ends(rig.oldServer.ownAddress(), proxy.address());
            try {
                rig.once(ends, patience);
            } catch (RedisFailure | MigrationFailure failure) {
                // Not even the turn's key is left behind by a process that is killed.
                rig.source.call("DEL", "mw:migrating");
                rig.once();
            }
            return proxy.firedCuts() > 0;
        }
    }
}
