package dev.mawashi.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.Eventually;
import dev.mawashi.acceptance.Child;
import dev.mawashi.acceptance.Programs;
import dev.mawashi.texts.Texts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/// Each command of the guide's operating pages does what it says, beside a real server with jobs
/// that hang and a Redis with failed and dead jobs.
final class GuideCommandsIT {
    @RegisterExtension static final CommandRig RIG = new CommandRig();

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final List<String> PAGES =
            List.of(
                    "operate",
                    "deploy",
                    "redis",
                    "questions",
                    "tuning",
                    "limits",
                    "upgrading",
                    "log",
                    "metrics",
                    "dashboard",
                    "security");

    /// Commands that start a process, are the launcher's, or want a Redis of another kind or a
    /// server with schedules, and the tests that run them.
    private static final Map<String, String> ELSEWHERE =
            Map.ofEntries(
                    Map.entry("config", "cli/ConfigLoadIT"),
                    Map.entry("cron show", "cli/CronCommandIT"),
                    Map.entry("demo", "acceptance/WebPortIT"),
                    Map.entry("erase", "acceptance/EraseIT"),
                    Map.entry("health", "acceptance/HealthPortIT"),
                    Map.entry("prepare", "acceptance/StartCacheIT"),
                    // In the release alone.
                    Map.entry(
                            "mcp",
                            "../../../../../../release/src/test/java/dev/mawashi/release/TarballIT"),
                    Map.entry("profile", "cli/ProfileCommandIT"),
                    Map.entry("push --ack", "cli/PushCommandIT"),
                    Map.entry("redis", "acceptance/PageTourIT"),
                    Map.entry("restart", "acceptance/RestartIT"),
                    Map.entry("reload", "acceptance/ReloadIT"),
                    Map.entry("run", "acceptance/StopIT"),
                    Map.entry("web", "acceptance/WebPortIT"));

    @TempDir Path folder;
    private int jobs;

    @Test
    void eachCommandIsDone() throws IOException {
        List<String> commands =
                PAGES.stream()
                        .flatMap(page -> Texts.calls(Texts.GUIDE.resolve(page + ".md")).stream())
                        .filter(call -> !isElsewhere(call))
                        .map(call -> call.startsWith("cancel") ? "cancel JID" : call)
                        .distinct()
                        // A quiet process takes no more jobs.
                        .sorted(Comparator.comparing(call -> call.contains("quiet")))
                        .toList();
        assertThat(commands).hasSizeGreaterThan(20);
        try (Programs programs = new Programs(folder, RIG.url())) {
            Child server =
                    programs.mawashi(
                            Map.of(),
                            "run",
                            "-r",
                            Programs.SCRIPTS.resolve("app.rb").toString(),
                            "--runner",
                            "mri",
                            "--processes",
                            "1",
                            "-c",
                            "9",
                            "-q",
                            "default");
            server.awaitLog("working on");
            for (String command : commands) {
                done(words(command));
            }
            for (int job = 0; job < jobs; job++) {
                Files.createFile(folder.resolve("gate" + job + ".open"));
            }
            server.signal("TERM");
            assertThat(server.awaitExit()).as(server::log).isZero();
        }
    }

    @Test
    void theOthersAreRunByTheTestsThatAreNamedHere() {
        ELSEWHERE.forEach((command, test) ->
                assertThat(Texts.read(Path.of("src/test/java/dev/mawashi", test + ".java")))
                        .as(command + " in " + test)
                        .contains(command.replaceAll(".* ", "")));
    }

    private static boolean isElsewhere(String call) {
        return ELSEWHERE.keySet().stream()
                .anyMatch(command -> call.equals(command) || call.startsWith(command + " "));
    }

    private static void done(List<String> words) {
        int code = RIG.run(words.toArray(String[]::new));
        assertThat(code).as("mawashi %s: %s%s", words, RIG.out(), RIG.err()).isZero();
    }

    /// The words of a call, with something that is there in place of what the guide leaves open.
    private List<String> words(String call) throws IOException {
        fill();
        List<String> words = List.of(call.split("\\s+", -1));
        return switch (words.getFirst() + (words.size() > 1 ? " " + words.get(1) : "")) {
            case "cancel JID", "busy stack" -> with(words, "JID", hangingJob());
            case "undo ID" -> with(words, "ID", deletion());
            case "push CLASS" -> with(words, "CLASS", "PlainJob");
            case "processes show", "processes quiet" -> with(words, "ID", identity());
            case "queues unpause" -> {
                done(List.of("queues", "pause", "low"));
                yield with(words, "QUEUE", "low");
            }
            default -> words;
        };
    }

    /// A sentence may name the command alone.
    private static List<String> with(List<String> words, String open, String value) {
        List<String> all = new ArrayList<>(words);
        all.remove(open);
        all.add(value);
        return all;
    }

    private static void fill() {
        String failed =
                "{\"class\":\"Report\",\"queue\":\"low\",\"args\":[],\"jid\":\"%s\",\"retry\":true,"
                        + "\"error_class\":\"E\",\"error_message\":\"e\",\"failed_at\":1.0,"
                        + "\"retry_count\":3}";
        RIG.redis().call("ZADD", "dead", "5", failed.formatted("dead1"));
        RIG.redis().call("ZADD", "dead", "6", failed.formatted("dead2"));
        RIG.redis().call("ZADD", "retry", "99999999999", failed.formatted("retry1"));
    }

    /// Starts a job that runs until the end of the test.
    ///
    /// @return its JID, once the process has reported it
    private String hangingJob() {
        done(List.of("push", "GateJob", "\"gate" + jobs++ + "\""));
        String jid = RIG.out().toString().strip();
        Eventually.until(
                jid + " is among the busy",
                LIMIT,
                () -> RIG.run("busy", "--json") == 0 && RIG.out().toString().contains(jid));
        return jid;
    }

    /// Deletes a dead job.
    ///
    /// @return the id of that change
    private static String deletion() {
        done(List.of("dead", "delete", "dead2"));
        done(List.of("audit", "--json", "--limit", "1"));
        return found("\"id\":\"([0-9a-f]{16})\"");
    }

    private static String identity() {
        done(List.of("processes", "--json"));
        return found("\"identity\":\"([^\"]+)\"");
    }

    private static String found(String pattern) {
        Matcher found = Pattern.compile(pattern).matcher(RIG.out().toString());
        assertThat(found.find()).as(RIG.out().toString()).isTrue();
        return found.group(1);
    }
}
