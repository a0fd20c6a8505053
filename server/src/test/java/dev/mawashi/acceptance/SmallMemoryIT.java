package dev.mawashi.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.opentest4j.TestAbortedException;

/// Servers with the launcher's own flags, whose control group lets them have little memory; where
/// none can be made the JVM is told that the machine has no more. Each starts a JVM without the
/// tests' archive and runs many jobs, hence long; 10,000 jobs, since 100,000, which went through by
/// hand, take ten times as long.
@Tag("long")
final class SmallMemoryIT {
    private static final int JOBS = 10_000;

    @TempDir Path folder;

    @ParameterizedTest
    @CsvSource({
        "256,mri,Serial", "512,mri,Serial", "1024,mri,Serial",
        "256,jruby,Parallel", "512,jruby,Parallel", "1024,jruby,Parallel"
    })
    void aServerWorksOffItsJobsAndSaysWhatItHasChosen(
            int megabytes, String runner, String collector) {
        try (ControlGroup group = group(megabytes);
                Workplace place = new Workplace(folder)) {
            place.pushJobs(JOBS, "j", "PlainJob", "[1]");
            Child server = start(place, megabytes, runner, group);

            place.await("all run", () -> place.integer("GET", "stat:processed") == JOBS);
            server.signal("TERM");
            assertThat(server.awaitExit()).as(server::log).isZero();
            assertThat(server.log())
                    .containsPattern(
                            "%,d MB of memory here: a heap of up to \\d+ MB, collector %s"
                                    .formatted(megabytes, collector));
            assertThat(server.log()).doesNotContain("killed by");
            assertThat(server.log().contains("is little for JRuby"))
                    .isEqualTo(runner.equals("jruby") && megabytes < 512);
        }
    }

    private static @Nullable ControlGroup group(int megabytes) {
        String bytes = Long.toString((long) megabytes << 20);
        Map<String, String> limits = new LinkedHashMap<>();
        limits.put("memory.limit_in_bytes", bytes);
        limits.put("memory.memsw.limit_in_bytes", bytes);
        limits.put("memory.max", bytes);
        limits.put("memory.swap.max", "0");
        try {
            return ControlGroup.make("memory", limits);
        } catch (TestAbortedException _) {
            return null;
        }
    }

    private static Child start(
            Workplace place, int megabytes, String runner, @Nullable ControlGroup group) {
        String script =
                """
                set -euo pipefail
                [ -z "$DOOR" ] || echo $$ >"$DOOR"
                home=$(cd .. && pwd) parser=
                . ../bin/jvm-flags.sh
                if runs_in_children "$@"; then set_flags children; else set_flags run; fi
                [ -n "$DOOR" ] || flags+=("-XX:MaxRAM=${MEGABYTES}m")
                exec "$JAVA" "${flags[@]}" -cp "$CLASSES" dev.mawashi.cli.Main "$@"
                """;
        List<String> command = new ArrayList<>(List.of("bash", "-c", script, "bash", "run"));
        command.addAll(List.of("-r", Workplace.APP, "--runner", runner, "-c", "20"));
        Map<String, String> environment =
                Map.of(
                        "DOOR", group == null ? "" : group.door().toString(),
                        "MEGABYTES", Integer.toString(megabytes),
                        "JAVA", Path.of(System.getProperty("java.home"), "bin/java").toString(),
                        "CLASSES", System.getProperty("java.class.path"));
        return place.start("mawashi", command, environment);
    }
}
