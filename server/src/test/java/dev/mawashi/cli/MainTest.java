package dev.mawashi.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

final class MainTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void versionNamesMawashiTheJdkAndJruby() {
        assertThat(run("version")).isEqualTo(Main.DONE);
        assertThat(out.toString())
                .matches("Mawashi \\d+\\.\\d+\\.\\d+\\S*\nJDK \\d+\\S*\nJRuby \\d+\\.\\d+\\S*\n");
    }

    @Test
    void versionIsOneJsonObjectWhenAsked() {
        assertThat(run("version", "--json")).isEqualTo(Main.DONE);
        assertThat(out.toString())
                .matches("\\{\"mawashi\":\"[^\"]+\",\"jdk\":\"[^\"]+\",\"jruby\":\"[^\"]+\"\\}\n");
    }

    @Test
    void theVersionFlagPrintsOneLine() {
        assertThat(run("--version")).isEqualTo(Main.DONE);
        assertThat(out.toString()).matches("mawashi \\d\\S+\n");
    }

    @Test
    void anUnknownFlagIsAnsweredWithTheNearest() {
        assertThat(run("redis", "--prot", "1")).isEqualTo(Main.WRONG_USE);
        assertThat(err.toString())
                .isEqualTo(
                        "mawashi: unknown flag --prot: did you mean --port? (see mawashi redis"
                                + " --help)\n");
    }

    @Test
    void anUnknownCommandIsAnsweredWithTheNearest() {
        assertThat(run("verison")).isEqualTo(Main.WRONG_USE);
        assertThat(err.toString())
                .contains("unknown command verison: did you mean version?")
                .hasLineCount(1);
    }

    @Test
    void noCommandIsWrongUse() {
        assertThat(run()).isEqualTo(Main.WRONG_USE);
        assertThat(err.toString()).isEqualTo("mawashi: no command given (see mawashi --help)\n");
    }

    @Test
    void aValueOfTheWrongKindIsWrongUse() {
        assertThat(run("redis", "--port", "many")).isEqualTo(Main.WRONG_USE);
        assertThat(err.toString()).contains("--port", "many").hasLineCount(1);
    }

    @Test
    void aPortThatIsNoneIsWrongUse() {
        assertThat(run("redis", "--port", "70000")).isEqualTo(Main.WRONG_USE);
        assertThat(err.toString()).contains("--port 70000 is no port").hasLineCount(1);
    }

    @Test
    void anOperatingErrorIsOneLineAndFails() {
        assertThat(run("redis", "--port", "0", "--dir", "/dev/null/x")).isEqualTo(Main.FAILED);
        assertThat(err.toString()).startsWith("mawashi: cannot use the folder").hasLineCount(1);
    }

    @Test
    void everyCommandExplainsItselfWithExamples() {
        CommandLine line = Main.commandLine(Map.of());
        assertThat(run("--help")).isEqualTo(Main.DONE);
        for (CommandLine command : line.getSubcommands().values()) {
            assertThatItExplainsItself(command);
            command.getSubcommands().values().forEach(this::assertThatItExplainsItself);
        }
    }

    @Test
    void whatRunDoesAtSignalsKeepsItsLines() {
        assertThat(run("run", "--help")).isEqualTo(Main.DONE);
        assertThat(out.toString().lines())
                .containsSequence(
                        "Signals: TERM and INT stop (running jobs get -t seconds, the rest goes back",
                        "to the head of its queue), TSTP stops claiming, TTIN logs what runs and",
                        "where.");
    }

    @Test
    void yesAlsoAnswersWhatElseBuryAsks() {
        String question = "leave the full dead set";
        assertThat(run("retries", "bury", "--help")).isEqualTo(Main.DONE);
        assertThat(out.toString().replaceAll("\\s+", " ")).contains(question);
        out.getBuffer().setLength(0);
        assertThat(run("retries", "delete", "--help")).isEqualTo(Main.DONE);
        assertThat(out.toString().replaceAll("\\s+", " ")).doesNotContain(question);
    }

    private void assertThatItExplainsItself(CommandLine command) {
        String name = command.getCommandSpec().qualifiedName();
        List<String> words = new ArrayList<>(List.of(name.split(" ")));
        words.removeFirst();
        words.add("--help");
        out.getBuffer().setLength(0);
        assertThat(run(words.toArray(String[]::new))).isEqualTo(Main.DONE);
        assertThat(out.toString()).contains("Usage: " + name, "Examples:\n  " + name, "--help");
        assertThat(command.getCommandSpec().usageMessage().description()).isNotEmpty();
    }

    private int run(String... arguments) {
        return Main.run(
                List.of(arguments),
                Map.of("HOME", "/nonexistent"),
                new PrintWriter(out, true),
                new PrintWriter(err, true));
    }
}
