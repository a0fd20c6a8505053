package dev.mawashi.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.mawashi.redis.RedisServerForTests;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/// The calls in the guide are answered, and its addresses are those of the description.
final class ApiGuideIT {
    private static final RedisServerForTests SERVER = new RedisServerForTests();
    private static final Path GUIDE = Path.of("../docs/guide/api.md");
    private static final Pattern CALL =
            Pattern.compile(
                    "^    curl (?:-H \"(\\w+): Bearer \\$MAWASHI_WEB_VIEWER\" )?"
                            + "'?http://127\\.0\\.0\\.1:7433(/[^'\\s]+)'?$",
                    Pattern.MULTILINE);

    /// The jobs, the idempotency key without what a shell puts in, and the address.
    private static final Pattern POST =
            Pattern.compile(
                    "^    curl -fsS --retry 5 -H 'Content-Type: application/json' -d '([^']+)' \\\\\n"
                            + "      -H \"Authorization: Bearer \\$MAWASHI_WEB_ENQUEUER\""
                            + " -H \"Idempotency-Key: ([\\w-]+)\\$\\([^)]*\\)\" \\\\\n"
                            + "      http://127\\.0\\.0\\.1:7433(/\\S+)$",
                    Pattern.MULTILINE);

    private static final String SECRET = "a-viewers-secret";

    @AfterAll
    static void stopServer() {
        SERVER.close();
    }

    @Test
    void eachCallIsAnswered() throws Exception {
        List<MatchResult> calls = CALL.matcher(Files.readString(GUIDE)).results().toList();
        assertThat(calls).hasSizeGreaterThan(5);
        try (WebRig open = new WebRig(SERVER, Map.of());
                WebRig shut = new WebRig(SERVER, Map.of("MAWASHI_WEB_VIEWER", SECRET))) {
            open.fill();
            for (MatchResult call : calls) {
                HttpResponse<String> answer =
                        call.group(1) == null
                                ? open.get(call.group(2))
                                : shut.get(call.group(2), call.group(1), "Bearer " + SECRET);
                assertThat(answer.statusCode()).as(call.group()).isEqualTo(200);
                assertThat(new ObjectMapper().readTree(answer.body()).isObject()).isTrue();
            }
        }
    }

    @Test
    void eachEnqueuingCallEnqueuesOnce() throws Exception {
        List<MatchResult> calls = POST.matcher(Files.readString(GUIDE)).results().toList();
        assertThat(calls).hasSizeGreaterThan(1);
        try (WebRig shut = new WebRig(SERVER, Map.of("MAWASHI_WEB_ENQUEUER", SECRET))) {
            for (MatchResult call : calls) {
                String[] headers = {
                    "Authorization", "Bearer " + SECRET, "Idempotency-Key", call.group(2)
                };
                String first = shut.post(call.group(3), call.group(1), headers).body();
                assertThat(first).contains("\"jids\":[\"", "\"replayed\":false");
                assertThat(shut.post(call.group(3), call.group(1), headers).body())
                        .isEqualTo(first.replace("\"replayed\":false", "\"replayed\":true"));
            }
        }
    }

    @Test
    void allCallsInTheGuideAreInThatForm() throws IOException {
        String guide = Files.readString(GUIDE);
        long calls = guide.lines().filter(line -> line.startsWith("    curl")).count();
        assertThat(CALL.matcher(guide).results().count() + POST.matcher(guide).results().count())
                .isEqualTo(calls);
    }
}
