package dev.mawashi.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.EachOf;
import dev.mawashi.Eventually;
import dev.mawashi.acceptance.Child;
import dev.mawashi.acceptance.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/// `mawashi profile` as it is called, of jobs that run in a real server.
final class ProfileCommandIT {
    @RegisterExtension static final CommandRig RIG = new CommandRig();

    @TempDir Path folder;

    private Child start(Programs programs, String runner) {
        Child server =
                programs.mawashi(
                        Map.of(),
                        "run",
                        "-r",
                        Programs.SCRIPTS.resolve("app.rb").toString(),
                        "--runner",
                        runner,
                        "-c",
                        "3",
                        "-t",
                        "1");
        return server.awaitLog("working on");
    }

    private static String push(String... words) {
        List<String> call = new ArrayList<>(List.of(words));
        call.addFirst("push");
        assertThat(RIG.run(call.toArray(String[]::new))).as(RIG.err().toString()).isZero();
        return RIG.out().toString().strip();
    }

    @EachOf({"mri", "jruby"})
    void aClassAJobAndAProcessAreSampled(String runner) throws IOException {
        try (Programs programs = new Programs(folder, RIG.url())) {
            Child server = start(programs, runner);
            String spinning = push("SpinJob");
            String held = push("GateJob", "\"gate\"");
            Eventually.until(
                    "both run",
                    Duration.ofSeconds(60),
                    () ->
                            RIG.run("busy", "--json") == 0
                                    && RIG.out().toString().lines().count() == 2);

            Path page = folder.resolve("spin.html");
            sample("SpinJob", "--seconds", "1", "--out", page.toString());
            assertThat(RIG.out().toString())
                    .containsPattern("^[\\d,]+ samples\n")
                    .containsPattern("100.0 %  .*app.rb:\\d+:in .*perform")
                    .doesNotContain("GateJob", "ledger.rb:22");
            assertThat(Files.readString(page))
                    .contains(
                            "<title>SpinJob</title>", "<title>SpinJob: 100.0 %</title>", "</svg>");

            // It takes a core from the tests beside this one.
            assertThat(RIG.run("cancel", spinning)).isZero();
            sample(held, "--seconds", "1", "--json");
            assertThat(RIG.out().toString())
                    .hasLineCount(1)
                    .contains("{\"for\":\"the end of its own sleep\",\"samples\":", "ledger.rb:")
                    .doesNotContain("SpinJob");
            sample(identity(), "--seconds", "1");
            assertThat(RIG.out().toString())
                    .contains("its own sleep")
                    .containsPattern("app.rb:\\d+");

            Files.createFile(folder.resolve("gate.open"));
            server.signal("TERM");
            assertThat(server.awaitExit()).as(server::log).isZero();
        }
    }

    /// A child on a busy machine may answer too late; then there is no sample.
    private static void sample(String... words) {
        List<String> call = new ArrayList<>(List.of(words));
        call.addFirst("profile");
        Eventually.until(
                "samples of " + words[0],
                Duration.ofSeconds(60),
                () -> RIG.run(call.toArray(String[]::new)) == 0);
    }

    private static String identity() {
        assertThat(RIG.run("processes", "--json")).isZero();
        Matcher found = Pattern.compile("\"identity\":\"([^\"]+)\"").matcher(RIG.out().toString());
        assertThat(found.find()).isTrue();
        return found.group(1);
    }

    @Test
    void thatNothingRanIsSaid() {
        assertThat(RIG.run("profile", "Report", "--seconds", "1")).isEqualTo(Main.FAILED);
        assertThat(RIG.err().toString())
                .contains(
                        "no job of Report ran in a process of Mawashi meanwhile: see mawashi busy")
                .hasLineCount(1);
        RIG.redis().call("SADD", "processes", "web-2:2:bb");
        RIG.redis().call("HSET", "web-2:2:bb", "info", "{}", "busy", "0", "beat", "2.5");
        assertThat(RIG.run("profile", "web-2", "--seconds", "1")).isEqualTo(Main.FAILED);
        assertThat(RIG.err().toString()).contains("web-2:2:bb: it takes no questions");
    }

    @Test
    void aTimeOutOfRangeOrAFileThatCannotBeIsWrongUse() {
        for (String seconds : new String[] {"0", "601", "-1", "x"}) {
            assertThat(RIG.run("profile", "Report", "--seconds", seconds))
                    .isEqualTo(Main.WRONG_USE);
        }
        assertThat(RIG.run("profile")).isEqualTo(Main.WRONG_USE);
        for (String file : new String[] {"no such/report.html", "/", folder.toString()}) {
            assertThat(RIG.run("profile", "Report", "--out", file)).isEqualTo(Main.WRONG_USE);
            assertThat(RIG.err().toString()).contains("--out " + file + " cannot be written to");
        }
    }
}
