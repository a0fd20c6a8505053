package dev.mawashi.migrate;

import dev.mawashi.wire.ResqueKeys;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;

/// A migration that ends at any of its steps, and is called again.
final class MigrationCrashIT {
    @RegisterExtension static final MigrationRig RIG = new MigrationRig();

    @RegisterExtension
    static final MigrationRig RESQUE = new MigrationRig(ResqueKeys.DEFAULT.layout());

    @TestFactory
    Stream<DynamicTest> eachJobIsThereOnceInItsOrder() {
        return new MigrationCuts(RIG, new SidekiqCutLoad(), Duration.ZERO).tests();
    }

    /// Long: the same cuts, of other keys; `eachJobIsThereOnceInItsOrder` is the quick one.
    @Tag("long")
    @TestFactory
    Stream<DynamicTest> soIsEachOfResques() {
        return new MigrationCuts(RESQUE, new ResqueCutLoad(), Duration.ZERO).tests();
    }
}
