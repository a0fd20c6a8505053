package dev.mawashi.bench.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.bench.rig.JobSource;
import dev.mawashi.bench.rig.Payloads;
import dev.mawashi.bench.rig.Row;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

final class MainTest {
    private static final Main MAIN = new Main(Map.of(), InstantSource.system(), List::of);

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String line) {
        List<String> arguments = line.isEmpty() ? List.of() : List.of(line.split(" "));
        return MAIN.run(arguments, new PrintWriter(out), new PrintWriter(err));
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
                "noop --peer mri-2x5",
                "noop --peer-jobs -1",
                "noop --middleware -1",
                "noop --middleware some",
                "noop --speed",
                "noop --runner perl",
                "noop --report /nowhere/report.html",
                "all --jobs 5",
                "all --peer asynq",
                "all --report /nowhere/report.html",
                "sha --jobs 0",
                "sha --rows mri-50",
                "sha --rows jruby-2x50",
                "sha --rows jruby-0",
                "sha --rows unicorn-5",
                "io --seconds 0",
                "fork --jobs none",
                "memory --app nowhere",
                "latency --probes 0",
                "boot --rows jruby",
                "garbage --rows sidekiq-2x10",
                "backlog --row all",
                "backlog --jobs 10 --backlog 10",
                "schedule --entries 0",
                "schedule --burst -1",
                "schedule --peer asynq",
                "lines --megabytes 0",
                "threads --jobs 0",
                "idle --queues 0",
                "idle --rest 0",
                "calls --calls 0",
                "page --dead 0",
                "page --calls none",
                "streams --streams 1001",
                "streams --row unicorn-1",
                "rtt --ms -1",
                "rtt --rows unicorn-1",
                "features --jobs 0",
                "features --rows unicorn-1",
                "fanout --jobs 50000000",
                "lines --passes none",
                "scaling --jobs 0",
                "scaling --series speed",
                "scaling --to threads=0",
                "scaling --to queues=1001",
                "scaling --to speed=5",
                "scaling --row unicorn-1",
            })
    void wrongUseIsOneLineAndExitCodeTwo(String line) {
        assertThat(run(line)).isEqualTo(Main.WRONG_USE);
        assertThat(err.toString().lines()).hasSize(1).first().asString().contains("--help");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "noop ",
                "sha ",
                "io ",
                "fork ",
                "memory ",
                "latency ",
                "boot ",
                "garbage ",
                "backlog ",
                "schedule ",
                "lines ",
                "threads ",
                "idle ",
                "calls ",
                "rtt ",
                "features ",
                "fanout ",
                "page ",
                "streams ",
                "scaling ",
                "all ",
            })
    void helpShowsExamples(String name) {
        assertThat(run(name + "--help")).isEqualTo(Main.DONE);
        assertThat(out.toString()).contains("Examples:");
    }

    @Test
    void aSeriesMayBeNamedAsABenchmarkIs() {
        assertThat(run("scaling --series threads --jobs 0")).isEqualTo(2);
        assertThat(err.toString()).contains("--jobs");
    }

    @Test
    void payloadsAreOfOneSizeAndDistinct() {
        String first = text(Payloads.NOOP, 100_001, JobSource.SIDEKIQ);
        String second = text(Payloads.NOOP, 100_002, JobSource.SIDEKIQ);
        assertThat(first).hasSameSizeAs(second).isNotEqualTo(second).contains("\"NoopJob\"");
    }

    @Test
    void shaJobsGetOneListOfTheSameTwentyNumbers() {
        assertThat(text(Payloads.SHA, 2, JobSource.RESQUE))
                .matches("\\{\"class\":\"ShaJob\",\"args\":\\[\\[96542(,96542){19}]]}");
    }

    private static String text(Payloads payloads, long number, JobSource intake) {
        return new String(payloads.payload(number, intake), StandardCharsets.US_ASCII);
    }

    @Test
    void rowsAreWordsAndBack() {
        for (String word :
                List.of(
                        "jruby-150",
                        "virtual-1",
                        "fork-2",
                        "mri-5x50",
                        "sidekiq-2x10",
                        "sidekiq-yjit-2x5",
                        "sidekiq-jruby-1x25",
                        "resque-2",
                        "loop-4")) {
            assertThat(Row.parse(word)).hasToString(word);
        }
        assertThat(Row.parse("mri-5x50").slots()).isEqualTo(250);
    }

    @Test
    void allStandsForEveryBenchmarkWithFlagsThatItHas() {
        Peers peers = new Peers(List.of("sidekiq"));
        List<String> steps = peers.addedTo(Benchmark.all().getLast().steps());
        for (String step : steps) {
            CommandLine line = MAIN.line(new PrintWriter(out), new PrintWriter(err));
            assertThat(line.parseArgs(step.split(" ")).subcommands()).hasSize(1);
        }
        assertThat(run("--help")).isEqualTo(Main.DONE);
        String help = out.toString();
        String named =
                help.substring(help.lastIndexOf("Benchmarks:"), help.lastIndexOf("Examples:"));
        List<String> names =
                named.lines()
                        .filter(line -> line.matches("  [a-z]+ +.*"))
                        .map(line -> line.strip().split(" ", 2)[0])
                        // A soak takes hours, kernels an hour, a roll ten minutes per row.
                        .filter(name -> !List.of("all", "kernels", "soak", "roll").contains(name))
                        .toList();
        assertThat(steps.stream().map(step -> step.split(" ", 2)[0]).distinct())
                .containsExactlyElementsOf(names);
    }

    @Test
    void everyBenchmarkOfTheTableIsMeasuredOrStandsForOthers() {
        for (Benchmark one : Benchmark.all()) {
            if (one.steps().isEmpty()) {
                assertThat(Main.work(one.name())).isNotNull();
            }
        }
    }

    @Test
    void aNameBehindAFlagIsItsValueAndElsewhereTheNextBenchmark() {
        assertThat(run("scaling --series backlog --jobs 0 boot --json boot"))
                .isEqualTo(Main.WRONG_USE);
        assertThat(err.toString().lines())
                .startsWith("mawashi bench scaling --series backlog --jobs 0");
    }

    @Test
    void nothingIsMeasuredWhenALaterOneHasAFlagThatIsNotThere() {
        assertThat(run("lines boot --speed")).isEqualTo(Main.WRONG_USE);
        assertThat(err.toString().lines()).singleElement().asString().contains("'--speed'");
    }
}
