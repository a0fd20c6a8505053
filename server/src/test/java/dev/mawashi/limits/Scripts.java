package dev.mawashi.limits;

import dev.mawashi.broker.Broker;
import dev.mawashi.redis.Script;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.stream.Stream;

/// Which script has which digest, in Redis's slow log.
final class Scripts {
    private static final Path LUA =
            Path.of("../core/src/main/resources/dev/mawashi/broker").toAbsolutePath();
    private static final Map<String, String> NAMES = names();

    private Scripts() {}

    static String name(String digest) {
        return NAMES.getOrDefault(digest, digest);
    }

    private static Map<String, String> names() {
        Map<String, String> names = new HashMap<>();
        try (Stream<Path> files = Files.list(LUA)) {
            for (Path file : files.toList()) {
                String name = file.getFileName().toString();
                names.put(digest(Script.beside(Broker.class, name).source()), name);
            }
            return names;
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
