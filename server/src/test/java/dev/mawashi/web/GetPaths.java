package dev.mawashi.web;

import dev.mawashi.http.Access;
import dev.mawashi.http.Route;
import dev.mawashi.redis.RedisAddress;
import dev.mawashi.wire.ResqueKeys;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;

/// The paths of all routes that read, whatever they are, as the server has them.
public final class GetPaths {
    private GetPaths() {}

    /// @param redis its address; nothing is asked of it
    public static List<String> templates(String redis) {
        WebServer server =
                WebServer.besideFleet(
                        new WebSettings(
                                Access.of("0", Map.of()),
                                RedisAddress.parse(redis),
                                ResqueKeys.DEFAULT,
                                "9.9.9"),
                        InstantSource.system());
        return server.routes().stream()
                .filter(route -> route.method().equals("GET"))
                .map(Route::template)
                .toList();
    }
}
