package dev.mawashi.migrate;

import dev.mawashi.wire.ResqueKeys;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;

/// A migration that loses its connection at any of its steps, and goes on.
///
/// Long: some 500 migrations; MigrationCrashIT has the same steps.
@Tag("long")
final class MigrationLostReplyIT {
    @RegisterExtension static final MigrationRig RIG = new MigrationRig();

    @RegisterExtension
    static final MigrationRig RESQUE = new MigrationRig(ResqueKeys.DEFAULT.layout());

    @TestFactory
    Stream<DynamicTest> eachJobIsThereOnceInItsOrder() {
        return new MigrationCuts(RIG, new SidekiqCutLoad(), Migration.PATIENCE).tests();
    }

    @TestFactory
    Stream<DynamicTest> soIsEachOfResques() {
        return new MigrationCuts(RESQUE, new ResqueCutLoad(), Migration.PATIENCE).tests();
    }
}
