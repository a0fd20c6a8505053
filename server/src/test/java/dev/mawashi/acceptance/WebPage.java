package dev.mawashi.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// A browser on Sidekiq's page: keeps the session and presses buttons as a form does.
final class WebPage implements AutoCloseable {
    /// From 8.1 on the page goes by a header in its place.
    private static final Pattern TOKEN = Pattern.compile("name='authenticity_token' value='(.*?)'");

    private final URI root;
    private final HttpClient client =
            HttpClient.newBuilder()
                    .cookieHandler(new CookieManager())
                    .followRedirects(HttpClient.Redirect.NORMAL)
                    .build();

    WebPage(String root) {
        this.root = URI.create(root);
    }

    /// The text of a page.
    String read(String path) {
        return send(HttpRequest.newBuilder(root.resolve(path)).build());
    }

    /// The key of a job in a set's page, which is what its box to tick sends.
    String key(String path, String jid) {
        return found(Pattern.compile("value=['\"]([^'\"]*-" + jid + ")['\"]"), read(path));
    }

    /// Presses a button of that name for a ticked job.
    ///
    /// @return the page that comes next
    String press(String path, String button, String jid) {
        return press(path, button, Map.of("key[]", key(path, jid)));
    }

    /// Presses a button of that name, in a form that has these fields too and sends them to the
    /// page that it stands in.
    String press(String path, String button, Map<String, String> fields) {
        return press(path, path, button, fields);
    }

    /// Presses a button of that name, in a form that sends its fields to another page.
    private String press(String path, String action, String button, Map<String, String> fields) {
        String page = read(path);
        found(Pattern.compile("type=\"submit\" name=\"(" + button + ")\""), page);
        String form =
                fields.entrySet().stream()
                        .map(field -> "&" + encode(field.getKey()) + "=" + encode(field.getValue()))
                        .collect(Collectors.joining());
        Matcher token = TOKEN.matcher(page);
        String proof = token.find() ? "authenticity_token=" + encode(token.group(1)) + "&" : "";
        String body = proof + button + "=1" + form;
        return send(
                HttpRequest.newBuilder(root.resolve(action))
                        .header("Content-Type", "application/x-www-form-urlencoded")
                        .header("Sec-Fetch-Site", "same-origin")
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .build());
    }

    /// Deletes a waiting job, or with no payload all of a queue, by the button for it.
    void deleteWaiting(String queue, String payload) {
        boolean isOne = !payload.isEmpty();
        String action = "queues/" + queue + (isOne ? "/delete" : "");
        String path = isOne ? "queues/" + queue : "queues";
        found(Pattern.compile("action=\"/(" + action + ")\""), read(path));
        press(path, action, "delete", isOne ? Map.of("key_val", payload) : Map.of());
    }

    private static String found(Pattern pattern, String page) {
        Matcher matcher = pattern.matcher(page);
        if (!matcher.find()) {
            throw new AssertionError("no " + pattern + " in\n" + page);
        }
        return matcher.group(1);
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, UTF_8);
    }

    private String send(HttpRequest request) {
        try {
            HttpResponse<String> answer =
                    client.send(request, HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() != 200) {
                throw new AssertionError(
                        "%s: %d%n%s".formatted(request, answer.statusCode(), answer.body()));
            }
            return answer.body();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
