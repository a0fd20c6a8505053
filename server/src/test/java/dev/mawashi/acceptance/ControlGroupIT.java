package dev.mawashi.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.EachOf;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/// Jobs that take all that their control group lets them have. What a job does that forks a known
/// number of times is in the table of `HostileJobsIT`.
final class ControlGroupIT {
    private static final Path APP = Path.of("src/test/ruby/acceptance/hostile.rb").toAbsolutePath();
    private static final String BYTES_MAX = Integer.toString(100 << 20);

    /// The kernel counts threads. Ruby before 3.3 has one in a forked process, later ones have two.
    private static final int PROCESSES_MAX = 30;

    private static final int THREADS_MAX = 2;

    @TempDir Path folder;

    /// What the job has forked outlives its own process, since nothing of ours knows it.
    ///
    /// When there can be no more processes, Ruby's `fork` tries again for a while, and by version
    /// gives up or goes on until the job's time limit. Long: it forks until the limit.
    @Tag("long")
    @EachOf({"mri,--processes 2 -c 1", "fork,-c 3"})
    void oneThatForksWithoutEndFailsAndNobodyElseNotices(String runner, String flags) {
        Map<String, String> limits = Map.of("pids.max", Integer.toString(PROCESSES_MAX));
        try (ControlGroup group = ControlGroup.make("pids", limits);
                Workplace place = new Workplace(folder)) {
            Child server =
                    run(place, runner, flags, job("forks_for_ever", group, ",\"time_limit\":2"));
            place.await("it failed", () -> place.number("ZCARD", "dead") == 1);
            assertThat(group.members()).hasSizeGreaterThanOrEqualTo(PROCESSES_MAX / THREADS_MAX);

            String failure = awaitOthers(place, server);
            assertThat(failure).containsAnyOf("Errno::EAGAIN", "Mawashi::TimeLimitExceeded");
        }
    }

    /// The kernel kills the process that runs it.
    @EachOf({"mri,--processes 2 -c 1", "fork,-c 3"})
    void oneThatEatsMemoryFailsAndNobodyElseNotices(String runner, String flags) {
        Map<String, String> limits = new LinkedHashMap<>();
        limits.put("memory.limit_in_bytes", BYTES_MAX);
        limits.put("memory.memsw.limit_in_bytes", BYTES_MAX);
        limits.put("memory.max", BYTES_MAX);
        limits.put("memory.swap.max", "0");
        try (ControlGroup group = ControlGroup.make("memory", limits);
                Workplace place = new Workplace(folder)) {
            Child server = run(place, runner, flags, job("eats_memory", group, ""));
            place.await("it failed", () -> place.number("ZCARD", "dead") == 1);

            String failure = awaitOthers(place, server);
            assertThat(failure)
                    .contains("\"error_class\":\"Mawashi::ChildDied\"", "child killed by SIGKILL");
        }
    }

    /// @param more fields of the payload
    private static String job(String kind, ControlGroup group, String more) {
        return """
        {"class":"HostileJob","args":["%s","%s"],"jid":"hostile","retry":0%s}\
        """
                .formatted(kind, group.door(), more);
    }

    private static Child run(Workplace place, String runner, String flags, String hostile) {
        place.push("default", List.of(hostile.getBytes(UTF_8)));
        place.pushJobs(20, "beside", "PlainJob", "[1]");
        List<String> command =
                new ArrayList<>(List.of("run", "-r", APP.toString(), "--runner", runner));
        command.addAll(List.of((flags + " --lease 2 --sweep 0.5").split(" ", -1)));
        return place.mawashi(Workplace.NO_GEMS, command.toArray(String[]::new));
    }

    /// Runs more jobs and ends the server.
    ///
    /// @return the dead job
    private static String awaitOthers(Workplace place, Child server) {
        place.pushJobs(20, "after", "PlainJob", "[1]");
        place.await("all others run", () -> place.ledger().byJid("end").size() == 40);
        server.signal("TERM");
        assertThat(server.awaitExit()).as(server::log).isZero();
        assertThat(place.number("ZCARD", "dead")).isEqualTo(1);
        return Workplace.text(place.strings("ZRANGE", "dead", "0", "0").getFirst());
    }
}
