package dev.mawashi.embedded;

import java.nio.file.Path;
import java.util.Map;

/// A process of its own that starts a kept server, prints its URL and its process, and waits to be
/// killed.
final class Parent {
    private Parent() {}

    public static void main(String[] arguments) throws Exception {
        EmbeddedRedis redis =
                EmbeddedRedis.keptIn(Path.of(arguments[0]), 0, Map.of("PATH", arguments[1]));
        redis.start();
        System.out.println(redis.url());
        System.in.read();
    }
}
