package dev.mawashi.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class MainTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String line) {
        List<String> arguments = line.isEmpty() ? List.of() : List.of(line.split(" "));
        return Main.run(arguments, Map.of(), new PrintWriter(out), new PrintWriter(err));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "nooop",
                "noop --jobs 0",
                "noop --jobs many",
                "noop --runs 0",
                "noop --peer asynq",
                "noop --peer-jobs -1",
                "noop --middleware -1",
                "noop --middleware some",
                "noop --speed",
                "schedule --entries 0",
                "schedule --burst -1",
                "schedule --peer asynq",
            })
    void wrongUseIsOneLineAndExitCodeTwo(String line) {
        assertThat(run(line)).isEqualTo(Main.WRONG_USE);
        assertThat(err.toString().lines()).hasSize(1).first().asString().contains("--help");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--help", "noop --help", "schedule --help"})
    void helpShowsExamples(String line) {
        assertThat(run(line)).isEqualTo(Main.DONE);
        assertThat(out.toString()).contains("Examples:");
    }

    @Test
    void payloadsAreOfOneSizeAndDistinct() {
        String first = new String(Payloads.payload(100_001), StandardCharsets.US_ASCII);
        String second = new String(Payloads.payload(100_002), StandardCharsets.US_ASCII);
        assertThat(first).hasSameSizeAs(second).isNotEqualTo(second).contains("\"NoopJob\"");
    }
}
