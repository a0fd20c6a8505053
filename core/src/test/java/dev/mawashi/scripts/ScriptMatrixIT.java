package dev.mawashi.scripts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// Each script with each of its keys of a wrong type, with each of its commands refused, and in a
/// full Redis: however often it is called, each job is in exactly one place, and once what was
/// wrong is put right the next calls do what they would have done.
///
/// The scripts are those of the resources, their keys what their heads number, their commands what
/// their texts call; `BrokerStarts` and `TableStarts` say from which states they are called.
class ScriptMatrixIT {
    private static final RedisServerForTests SERVER = new RedisServerForTests();
    private static final RedisConnection REDIS = SERVER.connect();
    private static final RedisConnection LIMITED = SERVER.connect();
    private static int scripts;
    private static int commands;
    private static int trials;

    @BeforeAll
    static void makeUsers() throws IOException {
        for (ScriptText text : ScriptText.all()) {
            for (String command :
                    Stream.concat(
                                    text.commands().stream(),
                                    ScriptText.commands(text.script().mirrored()).stream())
                            .toList()) {
                REDIS.call(
                        "ACL",
                        "SETUSER",
                        MatrixRow.userWithout(command),
                        "reset",
                        "on",
                        "nopass",
                        "~*",
                        "&*",
                        "+@all",
                        "-" + command);
            }
        }
    }

    @AfterAll
    static void stopServer() {
        System.out.printf(
                "%d scripts, %d commands of them, %d trials%n", scripts, commands, trials);
        REDIS.close();
        LIMITED.close();
        SERVER.close();
    }

    @TestFactory
    Stream<DynamicTest> jobsAreInOnePlaceWhateverIsRefused() throws IOException {
        return ScriptText.all().stream()
                .flatMap(text ->
                        text.isMirrored()
                                ? Stream.of(test(text, false), test(text, true))
                                : Stream.of(test(text, false)));
    }

    private static DynamicTest test(ScriptText text, boolean isMirrored) {
        List<Start> starts =
                Stream.concat(BrokerStarts.all().stream(), TableStarts.all().stream())
                        .filter(start -> start.script().equals(text.name()))
                        .toList();
        return DynamicTest.dynamicTest(
                text.name() + (isMirrored ? ", left and right exchanged" : ""),
                () -> {
                    MatrixRow row = new MatrixRow(REDIS, LIMITED, text, starts, isMirrored);
                    List<String> faults = row.faults();
                    scripts++;
                    commands += row.commands();
                    trials += row.trials();
                    assertThat(faults).isEmpty();
                });
    }
}
