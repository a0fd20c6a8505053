package dev.mawashi.embedded;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// The Redis 7.0.15 programs inside `org.signal:embedded-redis`, one for each system, and the
/// folder into which this system's is unpacked.
///
/// Several processes may unpack at once: each writes a file of its own and renames it, so that a
/// program under the final name is whole. A program is used only when its SHA-256 is the one below.
///
/// @param resource name of the program in the jar, such as `redis-server-7.0.15-linux-amd64`
/// @param cache folder that keeps it between runs, if there is one
/// @param spare folder of ours, for when the cache cannot be used
record Bundle(String resource, Optional<Path> cache, Path spare) {
    private static final String PREFIX = "redis-server-7.0.15-";

    private static final Map<String, String> SHA256 =
            Map.of(
                    PREFIX + "darwin-amd64",
                    "e22a3d9147802bba0724efb2e446c49e1e514e76ff8031bb6d44b8628400d8f3",
                    PREFIX + "darwin-arm64",
                    "07838a2eb6f5961c89d8e6f1f83482de355dfc6bb04e05bfb00ae1f137dee129",
                    PREFIX + "linux-386",
                    "19106984e15b7e7ce22c9a3296fe6a5f85c43a72894144f98b1fb572b823a936",
                    PREFIX + "linux-amd64",
                    "c0cdeef856b3410fd99d6ec6fc6a20302e69059b00ce5d6abab7b3e5069ea91e",
                    PREFIX + "linux-arm64",
                    "d5c7ff117caf45d7dc2f59c1f956e1830438779947d66aa5647c2cdcc16eca50");

    /// @param environment `XDG_CACHE_HOME` and `HOME` say where the cache is
    static Bundle forThisSystem(Map<String, String> environment, Path spare) {
        String name = PREFIX + system() + "-" + architecture();
        return new Bundle(name, cacheFolder(environment), spare);
    }

    static Optional<Path> cacheFolder(Map<String, String> environment) {
        // The XDG specification says to ignore a relative path.
        Path given = Path.of(environment.getOrDefault("XDG_CACHE_HOME", ""));
        if (given.isAbsolute()) {
            return Optional.of(given.resolve("mawashi"));
        }
        Path home = Path.of(environment.getOrDefault("HOME", ""));
        return home.isAbsolute() ? Optional.of(home.resolve(".cache/mawashi")) : Optional.empty();
    }

    /// The program on disk, ready to be started.
    RedisBinary unpacked() {
        if (!SHA256.containsKey(resource)) {
            throw new EmbeddedRedisFailure(
                    "no redis-server or valkey-server of version 7.0 or newer on PATH, and none is"
                            + " bundled for this system ("
                            + resource
                            + "): install one, or give --redis URL");
        }
        Optional<RedisBinary> cached = cache.flatMap(this::unpackedIn);
        return cached.or(() -> unpackedIn(spare))
                .orElseThrow(() ->
                        new EmbeddedRedisFailure(
                                "the bundled Redis can be unpacked and started neither in "
                                        + cache.map(Path::toString).orElse("a cache folder")
                                        + " nor in "
                                        + spare
                                        + ": make one of them writable without noexec, or"
                                        + " install redis-server"));
    }

    /// Empty when the folder cannot be written or programs in it cannot be started.
    private Optional<RedisBinary> unpackedIn(Path folder) {
        try {
            Files.createDirectories(folder);
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
            Path program = folder.resolve(resource);
            if (!isIntact(program)) {
                write(folder, program);
            }
            return RedisBinary.probe(program);
        } catch (IOException _) {
            return Optional.empty(); // The next folder is tried; `unpacked` reports if none works.
        }
    }

    private void write(Path folder, Path program) throws IOException {
        Path part = Files.createTempFile(folder, resource, ".part");
        try (InputStream packed = Bundle.class.getResourceAsStream("/" + resource)) {
            if (packed == null) {
                throw new EmbeddedRedisFailure(resource + " is missing: install Mawashi again");
            }
            Files.copy(packed, part, StandardCopyOption.REPLACE_EXISTING);
            Files.setPosixFilePermissions(part, PosixFilePermissions.fromString("rwx------"));
            if (!isIntact(part)) {
                throw new EmbeddedRedisFailure(
                        resource + " is damaged (its SHA-256 differs): install Mawashi again");
            }
            Files.move(part, program, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(part);
        }
    }

    private boolean isIntact(Path program) throws IOException {
        if (!Files.isRegularFile(program, LinkOption.NOFOLLOW_LINKS)) {
            return false;
        }
        try (InputStream bytes = Files.newInputStream(program)) {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            byte[] block = new byte[1 << 16];
            for (int n = bytes.read(block); n >= 0; n = bytes.read(block)) {
                digest.update(block, 0, n);
            }
            return HexFormat.of().formatHex(digest.digest()).equals(SHA256.get(resource));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    private static String system() {
        String name = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
        return name.startsWith("mac") ? "darwin" : name;
    }

    private static String architecture() {
        String name = System.getProperty("os.arch", "").toLowerCase(Locale.ROOT);
        return switch (name) {
            case "x86_64", "amd64" -> "amd64";
            case "aarch64", "arm64" -> "arm64";
            case "x86", "i386", "i686" -> "386";
            default -> name;
        };
    }
}
