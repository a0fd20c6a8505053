package dev.mawashi.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.cli.ReadingCommands;
import dev.mawashi.web.GetPaths;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// All that reads what is in a workplace, whatever routes and commands there are: each address with
/// something that there is for each name in it, and each command. A queue `q-1` and a process that
/// runs a job have to be there; a schedule of that name is brought.
final class AllReads implements AutoCloseable {
    /// In a far future: of jobs in the sorted sets, so that nothing is due.
    static final String SCORE = "99999999999";

    private static final String SCHEDULE =
            "[{\"name\":\"q-1\",\"cron\":\"@daily\",\"zone\":\"UTC\",\"class\":\"A\","
                    + "\"queue\":\"q-1\",\"args\":[\"s3cr3t\"],\"missed\":\"one\"}]";

    private static final Pattern PAGE = Pattern.compile("page, probes and metrics at (http\\S+)");
    private static final Pattern NAME = Pattern.compile("\\{(\\w+)}");

    /// Of a stream, as many bytes as its first event has at least.
    private static final int EVENT_BYTES = 100;

    private final HttpClient client = HttpClient.newHttpClient();
    private final Workplace place;
    private final String jid;
    private final String identity;
    private final String slot;

    /// @param status and body of what was answered; of a stream, the body's begin
    record Answer(int status, String body) {}

    /// Waits until a process reports a job that runs.
    ///
    /// @param jid of a job in the retry, schedule and dead set, with `SCORE`
    AllReads(Workplace place, String jid) {
        this.place = place;
        this.jid = jid;
        place.await("a process reports it", () -> !place.strings("KEYS", "*:*:*:work").isEmpty());
        String work = Workplace.text(place.strings("KEYS", "*:*:*:work").getFirst());
        identity = work.replaceAll(":work$", "");
        slot = Workplace.text(place.strings("HKEYS", work).getFirst());
        byte[] _ = place.bytes("SET", "mw:cron:file:digest", SCHEDULE);
        long _ = place.number("ZADD", "mw:cron:files", "1", "digest");
    }

    /// The address of the page that a server has reported.
    static String page(Child server) {
        Matcher page = PAGE.matcher(server.awaitLog("page, probes and metrics at http").log());
        assertThat(page.find()).isTrue();
        return page.group(1).replaceAll("[,;]$", "");
    }

    /// The paths of all addresses.
    List<String> paths() {
        List<String> paths =
                GetPaths.templates(place.redisUrl()).stream()
                        .map(template ->
                                NAME.matcher(template)
                                        .replaceAll(name ->
                                                Matcher.quoteReplacement(value(name.group(1)))))
                        .toList();
        assertThat(paths).hasSizeGreaterThan(30);
        return paths;
    }

    private String value(String name) {
        return switch (name) {
            case "identity" -> identity;
            case "slot" -> slot;
            case "key" -> SCORE + "-" + jid;
            case "list" -> "failed";
            case "place" -> "0";
            case "name" -> "q-1";
            default -> name;
        };
    }

    Answer ask(String address) {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(address)).timeout(Duration.ofSeconds(60)).build();
        try {
            HttpResponse<InputStream> answer =
                    client.send(request, HttpResponse.BodyHandlers.ofInputStream());
            try (InputStream body = answer.body()) {
                String type = answer.headers().firstValue("Content-Type").orElse("");
                byte[] bytes =
                        type.startsWith("text/event-stream")
                                ? body.readNBytes(EVENT_BYTES)
                                : body.readAllBytes();
                return new Answer(answer.statusCode(), new String(bytes, StandardCharsets.UTF_8));
            }
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(address + ": " + e, e);
        }
    }

    /// Words that start a program that calls all commands that read, some of them two at once.
    ///
    /// @param runs jid of a job that runs
    /// @param more words for `ReadingCommands`
    List<String> commands(String runs, String... more) {
        String[] words =
                Stream.concat(
                                Stream.of("QUEUE=q-1", "NAME=q-1", "ID=" + identity, "JID=" + runs),
                                Stream.of(more))
                        .toArray(String[]::new);
        List<String> command = new ArrayList<>(Programs.mawashiCommand(words));
        command.replaceAll(word ->
                word.equals("dev.mawashi.cli.Main") ? ReadingCommands.class.getName() : word);
        return command;
    }

    @Override
    public void close() {
        client.close();
    }
}
