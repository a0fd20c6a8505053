package dev.mawashi.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ScaleCommandIT {
    @RegisterExtension static final CommandRig RIG = new CommandRig();

    private static void serve(int busy) {
        RIG.redis().call("SADD", "processes", "p");
        RIG.redis()
                .call(
                        "HSET",
                        "p",
                        "info",
                        "{\"queues\":[\"mail\",\"q\"],\"concurrency\":10}",
                        "busy",
                        "" + busy);
        RIG.redis().call("SADD", "queues", "q", "mail", "lonely");
    }

    @Test
    void tellsOneNumberAndWhy() {
        serve(9);

        assertThat(RIG.run("scale")).isEqualTo(Main.DONE);
        assertThat(RIG.out().toString())
                .isEqualTo(
                        """
                        queues  now  wanted  why
                        mail,q  1    2       90 % of the slots are busy, more than 85 %
                        """);
        assertThat(RIG.run("scale", "-q", "q", "--max", "1", "--json")).isEqualTo(Main.DONE);
        assertThat(RIG.out().toString())
                .contains("\"queues\":[\"q\"],\"processes\":1,")
                .endsWith(
                        "\"wanted\":1,\"reason\":\"90 % of the slots are busy, more than 85 %; max"
                                + " is 1, and 2 would be right\"}\n");
    }

    @Test
    void unknownIsNotNone() {
        assertThat(RIG.run("scale")).isEqualTo(Main.FAILED);
        assertThat(RIG.err().toString())
                .isEqualTo("mawashi: no live process serves a queue: start one with mawashi run\n");
        serve(0);
        assertThat(RIG.run("scale", "-q", "lonely")).isEqualTo(Main.FAILED);
        assertThat(RIG.out().toString()).contains("lonely  0    unknown  no live process takes");
        assertThat(RIG.run("scale", "-q", "lonely", "--json")).isEqualTo(Main.FAILED);
        assertThat(RIG.out().toString()).contains("\"wanted\":null");
        assertThat(RIG.run("scale", "-q", "q", "-q", "nobody")).isEqualTo(Main.FAILED);
        assertThat(RIG.err().toString())
                .isEqualTo(
                        "mawashi: there is no queue nobody: see mawashi queues for their names\n");
    }

    @ParameterizedTest
    @CsvSource({
        "--min 5 --max 3, --min 5 is above max 3: give a min of at most max",
        "--min 0, --min 0 makes no sense: give 1 to 10000 processes",
        "--max -1, --max -1 makes no sense: give 1 to 10000 processes",
        "--max 1000000, --max 1000000 makes no sense: give 1 to 10000 processes",
        "--latency 0, --latency 0 makes no sense: give 1 to 86400 seconds",
        "--drain 86401, --drain 86401 makes no sense: give 1 to 86400 seconds",
    })
    void boundsThatMakeNoSenseAreRefused(String flags, String message) {
        assertThat(RIG.run(("scale " + flags).split(" "))).isEqualTo(Main.WRONG_USE);
        assertThat(RIG.err().toString()).isEqualTo("mawashi: " + message + "\n");
    }

    @Test
    void whatIsNoNumberIsRefused() {
        assertThat(RIG.run("scale", "--min", "two")).isEqualTo(Main.WRONG_USE);
        assertThat(RIG.err().toString()).contains("--min").contains("'two' is no whole number");
    }

    @Test
    void aKeyOfAWrongTypeIsNamed() {
        RIG.redis().call("SET", "queues", "x");

        assertThat(RIG.run("scale")).isEqualTo(Main.FAILED);
        assertThat(RIG.err().toString()).contains("queues, processes or mw:queues");
    }
}
