package dev.mawashi.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `mawashi run --runner mri`: the app's own sidekiq gem in forked MRI processes.
@Tag("stack")
final class MriIT {
    private static final String[] FLAGS = {"--runner", "mri", "--processes", "2", "-c", "5"};

    @TempDir Path folder;

    private static Child run(Workplace place, String... more) {
        List<String> flags = new ArrayList<>(List.of(FLAGS));
        flags.addAll(List.of(more));
        Child server = place.run(Workplace.NO_GEMS, flags.toArray(String[]::new));
        server.awaitLog("working on");
        return server;
    }

    @Test
    void jobsRunInChildrenAndAStopGivesBackWhatTakesTooLong() {
        try (Workplace place = new Workplace(folder)) {
            place.pushJobs(500, "plain", "PlainJob", "[1]");
            place.pushJobs(1, "doomed", "DoomedJob", "[\"luck\"]");
            Child server = run(place, "-t", "1");
            place.await("they ran", () -> place.ledger().count("end", "PlainJob") == 500);
            place.await("one failed", () -> place.number("ZCARD", "retry") == 1);
            assertThat(place.ledger().byPid("end").keySet())
                    .as("pids of children")
                    .isNotEmpty()
                    .doesNotContain(server.pid());

            place.pushJobs(12, "held", "GateJob", "[\"never\"]");
            place.await("ten run", () -> place.ledger().count("start", "GateJob") == 10);
            place.await("it is seen", () -> place.number("SCARD", "processes") == 1);
            server.signal("TERM");
            assertThat(server.awaitExit()).as(server::log).isZero();

            assertThat(place.ledger().lines("cut")).hasSize(10);
            // What ran stands before what never began.
            List<String> queued = place.queued();
            assertThat(queued).hasSize(12);
            assertThat(queued.subList(0, 10))
                    .containsExactlyInAnyOrderElementsOf(held(place.ledger().byJid("start")));
            assertThat(place.inHandsOf(server)).isEmpty();
            if (place.hasSidekiq(7)) {
                assertThat(place.counted("mw:runs|??????|*:??", "PlainJob|mri")).isEqualTo(500);
            }
            assertThat(server.log()).contains("10 jobs did not end in time");
            // Sidekiq 8 says it at a level that this app does not log.
            assertThat(server.log().contains("class=DoomedJob")).isNotEqualTo(place.hasSidekiq(8));
        }
    }

    private static List<String> held(Map<String, Long> jids) {
        return jids.keySet().stream().filter(jid -> jid.startsWith("held")).toList();
    }

    @Test
    void childrenDieWithAServerThatIsKilledAndTheirJobsRunElsewhere() {
        try (Workplace place = new Workplace(folder)) {
            Child killed = run(place);
            place.pushJobs(20, "held", "GateJob", "[\"gate\"]");
            place.await("ten run", () -> place.ledger().count("start", "GateJob") == 10);
            Set<Long> children = new TreeSet<>(place.ledger().byPid("start").keySet());
            killed.signal("KILL");
            place.await(
                    "children are gone",
                    () -> children.stream().noneMatch(pid -> ProcessHandle.of(pid).isPresent()));
            place.open("gate");
            run(place);
            place.await("all ran", () -> place.ledger().byJid("end").size() == 20);

            assertThat(place.ledger().byJid("end").values()).containsOnly(1L);
            assertThat(place.ledger().lines("start")).hasSize(30);
        }
    }

    /// As a terminal, a supervisor or `kill` sends them, with the children in the server's group.
    @Test
    void signalsToTheWholeGroupThatTheServerGoesOnAtEndNoJob() throws Exception {
        try (Workplace place = new Workplace(folder)) {
            Path script = Files.writeString(folder.resolve("start.sh"), "exec setsid \"$@\"\n");
            List<String> command = new ArrayList<>(List.of("run", "-r", Workplace.APP));
            command.addAll(List.of(FLAGS));
            Child server = place.script(folder, script, command.toArray(String[]::new));
            place.pushJobs(4, "held", "GateJob", "[\"gate\"]");
            place.await("they run", () -> place.ledger().count("start", "GateJob") == 4);
            for (String signal : List.of("QUIT", "HUP", "USR1", "PIPE", "WINCH", "URG", "CONT")) {
                Process kill =
                        new ProcessBuilder("kill", "-" + signal, "--", "-" + server.pid()).start();
                assertThat(kill.waitFor()).as(signal).isZero();
            }
            place.pushJobs(1, "after", "PlainJob", "[1]");
            place.await("others run", () -> place.ledger().count("end", "PlainJob") == 1);
            place.open("gate");
            place.await("they end", () -> place.ledger().count("end", "GateJob") == 4);

            assertThat(place.ledger().lines("start"))
                    .filteredOn(line -> line.jobClass().equals("GateJob"))
                    .hasSize(4);
            assertThat(place.ledger().lines("error")).isEmpty();
        }
    }

    @Test
    void aJobThatIsLostWithItsChildIsToldToTheAppsHandlers() {
        try (Workplace place = new Workplace(folder)) {
            // Its next try is hours away, however long this takes.
            place.pushJobs(1, "again", "PoisonJob", "[],\"retry_count\":9");
            run(place);
            place.await("it failed", () -> place.number("ZCARD", "retry") == 1);
            String once =
                    """
                    {"class":"PoisonJob","args":[],"jid":"once","retry":false,"created_at":1}\
                    """;
            place.push("default", List.of(once.getBytes(StandardCharsets.UTF_8)));
            place.await("it died", () -> place.ledger().byJid("death").containsKey("once"));

            assertThat(place.ledger().lines("error"))
                    .extracting(Ledger.Line::subject, Ledger.Line::jobClass)
                    .containsExactlyInAnyOrder(
                            tuple("again0", "Mawashi::ChildDied"),
                            tuple("once", "Mawashi::ChildDied"));
            assertThat(place.ledger().lines("death"))
                    .singleElement()
                    .satisfies(line -> {
                        assertThat(line.jobClass()).isEqualTo("Mawashi::ChildDied");
                        assertThat(line.rest()).startsWith("child killed by SIGKILL");
                    });
        }
    }

    @Test
    void anAppThatCannotBeLoadedIsAClearErrorAndTouchesNoJob() {
        try (Workplace place = new Workplace(folder)) {
            place.pushJobs(1, "waits", "PlainJob", "[]");
            String broken =
                    Path.of("src/test/ruby/acceptance/raises.rb").toAbsolutePath().toString();
            Child server = place.mawashi(Workplace.NO_GEMS, "run", "--runner", "mri", "-r", broken);

            assertThat(server.awaitExit()).isEqualTo(1);
            assertThat(server.log()).contains("mawashi: ", "raises.rb").doesNotContain("defect");
            assertThat(place.queued()).containsExactly("waits0");

            Child noRuby =
                    place.mawashi(
                            Workplace.NO_GEMS,
                            "run",
                            "--ruby",
                            "/no/such/ruby",
                            "-r",
                            Workplace.APP);
            assertThat(noRuby.awaitExit()).isEqualTo(1);
            assertThat(noRuby.log()).contains("cannot start Ruby (/no/such/ruby)");
        }
    }
}
