package dev.mawashi.scripts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import java.io.IOException;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// Each script as users who may call a command at all keys but one, so that it is refused behind an
/// earlier one, and as users who may not call two commands, the one and perhaps the one that would
/// take back what came before it. See `ScriptMatrixIT`.
class OneKeyRefusedIT {
    private static final RedisServerForTests SERVER = new RedisServerForTests();
    private static final RedisConnection REDIS = SERVER.connect();
    private static final RedisConnection LIMITED = SERVER.connect();

    @AfterAll
    static void stopServer() {
        REDIS.close();
        LIMITED.close();
        SERVER.close();
    }

    @TestFactory
    Stream<DynamicTest> jobsAreInOnePlaceWhereACommandIsRefusedAtOneKey() throws IOException {
        return tests(MatrixRow::faultsOfOneKey);
    }

    @TestFactory
    Stream<DynamicTest> jobsAreInOnePlaceWhereTwoCommandsAreRefused() throws IOException {
        return tests(MatrixRow::faultsOfPairs);
    }

    private static Stream<DynamicTest> tests(Function<MatrixRow, List<String>> trials)
            throws IOException {
        return ScriptText.all().stream()
                .filter(text -> text.commands().size() > 1)
                .map(text -> DynamicTest.dynamicTest(text.name(), () -> check(text, trials)));
    }

    private static void check(ScriptText text, Function<MatrixRow, List<String>> trials) {
        List<Start> starts =
                Stream.concat(BrokerStarts.all().stream(), TableStarts.all().stream())
                        .filter(start -> start.script().equals(text.name()))
                        .toList();
        MatrixRow row = new MatrixRow(REDIS, LIMITED, text, starts, false);
        assertThat(trials.apply(row)).isEmpty();
        assertThat(row.trials()).isGreaterThan(starts.size());
        // A trial in which nothing is refused proves nothing.
        assertThat(row.refusals()).isPositive();
    }
}
