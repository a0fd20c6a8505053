package dev.mawashi.ruby;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/// The Ruby files that Mawashi ships, for a Ruby that cannot read them out of our jar. Does not
/// touch JRuby.
public final class ShippedRuby implements AutoCloseable {
    private static final String ROOT = "mawashi";

    private final Path folder;
    private final boolean isCopy;

    private ShippedRuby(Path folder, boolean isCopy) {
        this.folder = folder;
        this.isCopy = isCopy;
    }

    /// Makes them readable as files; `close` removes what that took.
    public static ShippedRuby open() {
        try {
            Path home =
                    Path.of(
                            ShippedRuby.class
                                    .getProtectionDomain()
                                    .getCodeSource()
                                    .getLocation()
                                    .toURI());
            if (Files.isDirectory(home)) {
                return new ShippedRuby(home, false);
            }
            Path folder = Files.createTempDirectory("mawashi-ruby-");
            try (FileSystem jar = FileSystems.newFileSystem(home)) {
                copy(jar.getPath(ROOT), folder.resolve(ROOT));
                Files.copy(jar.getPath(ROOT + ".rb"), folder.resolve(ROOT + ".rb"));
            }
            return new ShippedRuby(folder, true);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot unpack the Ruby files", e);
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Path target = to.resolve(from.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(file, target);
                }
            }
        }
    }

    /// The program that an MRI parent process runs.
    public Path parentProgram() {
        return folder.resolve(ROOT).resolve("children").resolve("main.rb");
    }

    @Override
    public void close() {
        if (!isCopy) {
            return;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            List<Path> deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
            for (Path file : deepestFirst) {
                Files.deleteIfExists(file);
            }
        } catch (IOException _) {
            // The system empties its folder of temporary files sooner or later.
        }
    }
}
