package dev.mawashi.ruby;

import dev.mawashi.lifecycle.PrivateFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/// The Ruby files that Mawashi ships, for a Ruby that cannot read them out of our jar. Does not
/// touch JRuby.
public final class ShippedRuby {
    private static final String ROOT = "mawashi";

    private ShippedRuby() {}

    /// Makes them readable as files, in a new folder each time: the files of an earlier call may
    /// have gone since.
    ///
    /// @return the program that an MRI parent process runs
    /// @throws UncheckedIOException with one line for the operator
    public static Path parentProgram(PrivateFolder folder) {
        return files(folder).resolve(ROOT).resolve("children").resolve("main.rb");
    }

    private static Path files(PrivateFolder privateFolder) {
        try {
            Path home =
                    Path.of(
                            ShippedRuby.class
                                    .getProtectionDomain()
                                    .getCodeSource()
                                    .getLocation()
                                    .toURI());
            if (Files.isDirectory(home)) {
                return home;
            }
            Path folder = privateFolder.newFolder("ruby");
            try (FileSystem jar = FileSystems.newFileSystem(home)) {
                copy(jar.getPath(ROOT), folder.resolve(ROOT));
                Files.copy(jar.getPath(ROOT + ".rb"), folder.resolve(ROOT + ".rb"));
            }
            return folder;
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "cannot unpack the Ruby files into "
                            + privateFolder.path()
                            + ": "
                            + e.getMessage()
                            + " (make room, or set TMPDIR to another folder)",
                    e);
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
}
