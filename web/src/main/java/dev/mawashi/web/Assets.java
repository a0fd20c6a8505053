package dev.mawashi.web;

import dev.mawashi.http.Answer;
import dev.mawashi.http.Role;
import dev.mawashi.http.Route;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// The files that pages load. They reveal nothing, so anybody may have them.
final class Assets {
    private static final Map<String, String> TYPES =
            Map.ofEntries(
                    Map.entry("page.css", "text/css; charset=utf-8"),
                    Map.entry("page.js", "text/javascript; charset=utf-8"),
                    Map.entry("plots.js", "text/javascript; charset=utf-8"),
                    Map.entry("vendor/uplot.js", "text/javascript; charset=utf-8"),
                    Map.entry("vendor/uplot.css", "text/css; charset=utf-8"),
                    Map.entry("search.js", "text/javascript; charset=utf-8"),
                    Map.entry("acts.css", "text/css; charset=utf-8"),
                    Map.entry("acts.js", "text/javascript; charset=utf-8"),
                    Map.entry("theme.js", "text/javascript; charset=utf-8"),
                    Map.entry("icon.svg", "image/svg+xml"));

    private Assets() {}

    static List<Route> routes() {
        return TYPES.keySet().stream().sorted().map(Assets::route).toList();
    }

    private static Route route(String file) {
        Answer answer =
                new Answer(200, Objects.requireNonNull(TYPES.get(file)), read(file), Map.of());
        return Route.get("/assets/" + file, Role.ANYBODY, _ -> answer);
    }

    private static byte[] read(String file) {
        try (InputStream in = Assets.class.getResourceAsStream(file)) {
            return Objects.requireNonNull(in, file).readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
