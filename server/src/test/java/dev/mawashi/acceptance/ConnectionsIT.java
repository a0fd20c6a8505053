package dev.mawashi.acceptance;

import dev.mawashi.EachOf;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/// The connections of a server with one queue, at rest after a job, as the guide's table in
/// `redis.md` counts them: a Redis may admit few.
@Tag("stack")
final class ConnectionsIT {
    private static final Pattern NAME = Pattern.compile(" name=(\\S*)");

    /// The test's own is the one that is not a server's.
    private static final Map<String, Long> AT_REST =
            Map.ofEntries(
                    Map.entry("test", 1L),
                    Map.entry("mawashi-claim", 1L),
                    Map.entry("mawashi-park", 1L),
                    Map.entry("mawashi-settle", 1L),
                    Map.entry("mawashi-lease", 2L),
                    Map.entry("mawashi-beat", 1L),
                    Map.entry("mawashi-answer", 1L),
                    Map.entry("mawashi-alarms", 1L),
                    Map.entry("mawashi-schedule", 1L),
                    Map.entry("mawashi-pause", 1L),
                    Map.entry("mawashi-cancel", 1L),
                    Map.entry("mawashi-watch", 3L));

    @TempDir Path folder;

    /// Of Sidekiq 7 or later one more writes its metrics. Slots and children have none.
    @EachOf({"mri", "fork", "jruby", "java"})
    void aServerHasTheSameOnEachRunner(String runner) throws Exception {
        try (Workplace place = new Workplace(folder)) {
            boolean isJava = runner.equals("java");
            Path classes = Files.createDirectory(folder.resolve("classes"));
            List<String> app =
                    isJava
                            ? List.of("--java-classpath", classes.toString())
                            : List.of("-r", Workplace.APP);
            List<String> flags = new ArrayList<>(List.of("run", "--runner", runner));
            flags.addAll(List.of("-c", "5"));
            flags.addAll(app);
            place.pushJobs(20, "default", isJava ? "Missing" : "PlainJob", "[]");

            Child server = place.mawashi(Map.of(), flags.toArray(String[]::new));
            place.await("the jobs ran", () -> place.number("LLEN", "queue:default") == 0);
            server.awaitLog("working on");
            place.await("it is at rest", () -> atRest(place).equals(AT_REST));
        }
    }

    private static Map<String, Long> atRest(Workplace place) {
        String list = new String(place.bytes("CLIENT", "LIST"), StandardCharsets.UTF_8);
        Map<String, Long> counts =
                NAME.matcher(list)
                        .results()
                        .map(MatchResult::group)
                        .map(found -> found.substring(" name=".length()))
                        .collect(
                                Collectors.groupingBy(
                                        name -> name, TreeMap::new, Collectors.counting()));
        counts.remove("mawashi-metrics");
        return counts;
    }
}
