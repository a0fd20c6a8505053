package dev.mawashi.limits;

import dev.mawashi.broker.Broker;
import dev.mawashi.redis.Script;
import dev.mawashi.tables.SetEditing;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// Which script has which digest, in Redis's slow log.
final class Scripts {
    private static final Path LUA =
            Path.of("../core/src/main/resources/dev/mawashi").toAbsolutePath();
    private static final Map<String, String> NAMES = names();

    private Scripts() {}

    static String name(String digest) {
        return NAMES.getOrDefault(digest, digest);
    }

    private static Map<String, String> names() {
        Map<String, String> names = new HashMap<>();
        for (Class<?> room : List.of(Broker.class, SetEditing.class)) {
            addAll(room, names);
        }
        return names;
    }

    private static void addAll(Class<?> room, Map<String, String> names) {
        Path folder = LUA.resolve(room.getPackageName().replaceFirst(".*\\.", ""));
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                String name = file.getFileName().toString();
                names.put(digest(Script.beside(room, name).source()), name);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String digest(byte[] source) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(source));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-1", e);
        }
    }
}
