package dev.mawashi.http;

import dev.mawashi.wire.JsonFields;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/// The answer to a request.
///
/// @param headers beyond those that every answer has
public record Answer(int status, String contentType, byte[] body, Map<String, String> headers)
        implements CallReply {
    private static final String PLAIN = "text/plain";

    public Answer {
        headers = Map.copyOf(headers);
    }

    public static Answer text(int status, String text) {
        return of(status, PLAIN + "; charset=utf-8", text + "\n");
    }

    public static Answer html(int status, String html) {
        return of(status, "text/html; charset=utf-8", html);
    }

    public static Answer json(int status, String json) {
        return of(status, "application/json", json);
    }

    /// Any bytes, which a browser keeps as a file.
    public static Answer bytes(byte[] bytes) {
        return new Answer(
                200,
                "application/octet-stream",
                bytes,
                Map.of("Content-Disposition", "attachment"));
    }

    /// What is wrong, for a program.
    public static Answer problem(int status, String message) {
        return json(status, new JsonFields().text("error", message).toString());
    }

    /// The same for a program, where this is a line for people.
    Answer forPrograms() {
        if (!contentType.startsWith(PLAIN)) {
            return this;
        }
        Answer problem = problem(status, new String(body, StandardCharsets.UTF_8).strip());
        return new Answer(status, problem.contentType, problem.body, headers);
    }

    public static Answer of(int status, String contentType, String body) {
        return new Answer(status, contentType, body.getBytes(StandardCharsets.UTF_8), Map.of());
    }

    /// The same with headers more.
    public Answer with(Map<String, String> more) {
        Map<String, String> all = new HashMap<>(headers);
        all.putAll(more);
        return new Answer(status, contentType, body, all);
    }
}
