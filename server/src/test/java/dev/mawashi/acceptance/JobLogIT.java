package dev.mawashi.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.EachOf;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The same jobs are run by MRI's `sidekiq` and by Mawashi on each runner with the app's own gem:
/// what their logger writes of each is the same, in the same order, but for times, threads and
/// processes.
@Tag("stack")
final class JobLogIT {
    private static final String APP =
            Path.of(Workplace.APP).resolveSibling("job_log.rb").toString();
    private static final Pattern JID = Pattern.compile("jid[\":=]+([a-z]+-\\d)");
    private static final Pattern CHANGING =
            Pattern.compile(
                    "20\\d\\d-[^Z ]+Z|(?<=pid[=\":]{1,3})\\d+|(?<=tid[=\":]{1,3})\\w+"
                            + "|(?<=elapsed[=\":]{1,3})[\\d.]+");
    private static final List<byte[]> JOBS =
            Stream.of(
                            "'PlainJob','args':[],'jid':'plain-1'",
                            "'PlainJob','args':[],'jid':'plain-2','wrapped':'Shop::Mail'",
                            "'PlainJob','args':[],'jid':'tags-1','tags':['a','b']",
                            "'PlainJob','args':[],'jid':'level-1','log_level':'error'",
                            "'TalkingJob','args':['hello'],'jid':'talk-1'",
                            "'LoudFailure','args':[],'jid':'fail-1','retry':false")
                    .map(job -> "{'class':" + job + ",'queue':'default','created_at':1795225660.7}")
                    .map(job -> job.replace('\'', '"').getBytes(UTF_8))
                    .toList();

    @TempDir Path folder;

    /// Forms of lines, each with runners. ServiceIT and RubyJobLogTest have quick ones of JRuby.
    @EachOf({
        "pretty/mri",
        "pretty/jruby/fork bare/jruby/mri/fork",
        "json/jruby/mri/fork",
        "own/jruby/mri/fork"
    })
    void eachJobsLinesAreThoseOfSidekiq(String forms) throws IOException {
        for (String form : forms.split(" ")) {
            List<String> words = List.of(form.split("/"));
            Map<String, List<String>> expected = linesOf("sidekiq", words.getFirst());
            assertThat(expected).hasSize(JOBS.size() - 1);

            for (String runner : words.subList(1, words.size())) {
                assertThat(linesOf(runner, words.getFirst())).as(runner).isEqualTo(expected);
            }
        }
    }

    /// The line of its start is written before it can end its process.
    @Test
    void aJobThatEndsItsProcessHasBegunInTheLog() throws IOException {
        try (Workplace place = place("exit")) {
            place.push(
                    "default",
                    List.of(
                            "{\"class\":\"ExitJob\",\"args\":[],\"jid\":\"exit-1\"}"
                                    .getBytes(UTF_8)));
            Child server =
                    place.mawashi(
                            Map.of(), "run", "-r", APP, "--runner", "mri", "--processes", "1");
            place.await("it began", () -> !place.ledger().lines("exit").isEmpty());
            server.awaitLog("child exited with status 3");

            assertThat(server.logLines())
                    .anyMatch(line -> line.contains("jid=exit-1") && line.endsWith(": start"));
        }
    }

    private Workplace place(String name) throws IOException {
        return new Workplace(Files.createDirectory(folder.resolve(name)));
    }

    /// What a server has logged of each job, in order.
    private Map<String, List<String>> linesOf(String server, String form) throws IOException {
        try (Workplace place = place(server + "-" + form)) {
            place.push("default", JOBS);
            Child process = start(place, server, form);
            place.await(
                    "all have ended",
                    () ->
                            place.ledger().byJid("end").size() == JOBS.size() - 1
                                    && place.ledger().lines("death").size() == 1);
            process.signal("TERM");
            assertThat(process.awaitExit()).as(process::log).isZero();
            return byJob(process.logLines());
        }
    }

    private static Child start(Workplace place, String server, String form) {
        if (server.equals("sidekiq")) {
            return place.sidekiqFor(Path.of(APP), "-c", "1", "-e", form);
        }
        // Children find the gems by themselves.
        Map<String, String> gems = server.equals("jruby") ? Workplace.DEBIAN_GEMS : Map.of();
        return place.mawashi(gems, "run", "-r", APP, "-c", "1", "--runner", server, "-e", form);
    }

    /// Lines about the start and the end of jobs and what they log themselves. Error handlers say
    /// more.
    private static Map<String, List<String>> byJob(List<String> lines) {
        return lines.stream()
                .filter(line -> line.matches(".*[ \"](start|done|fail|hello)(\",.*)?"))
                .collect(
                        Collectors.groupingBy(
                                JobLogIT::jid,
                                TreeMap::new,
                                Collectors.mapping(JobLogIT::unchanging, Collectors.toList())));
    }

    private static String jid(String line) {
        Matcher found = JID.matcher(line);
        return found.find() ? found.group(1) : "";
    }

    private static String unchanging(String line) {
        return CHANGING.matcher(line).replaceAll("-");
    }
}
