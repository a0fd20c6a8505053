package dev.mawashi.bench.rig;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/// A temporary folder with what a benchmark's servers load and write. It stays after a failure, for
/// the logs in it.
public final class BenchFolder {
    private BenchFolder() {}

    public static Path make() {
        try {
            return Files.createTempDirectory("mawashi-bench-");
        } catch (IOException e) {
            throw new BenchFailure("cannot make a temporary folder: " + e.getMessage(), e);
        }
    }

    public static void delete(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new BenchFailure("cannot delete " + folder + ": " + e.getMessage(), e);
        }
    }

    /// Makes a folder, or deletes the files in it.
    public static void empty(Path folder) {
        if (Files.exists(folder)) {
            delete(folder);
        }
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Makes a folder with links to files and folders, and returns it.
    public static Path links(Path folder, List<Path> targets) {
        try {
            Path links = Files.createDirectories(folder.resolve("links"));
            for (Path target : targets) {
                Files.createSymbolicLink(links.resolve(target.getFileName()), target);
            }
            return links;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The lines of all files whose names match; a line that is only half written is left out.
    public static List<String> lines(Path folder, String glob) {
        List<String> lines = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, glob)) {
            for (Path file : files) {
                String text = Files.readString(file);
                text.substring(0, text.lastIndexOf('\n') + 1).lines().forEach(lines::add);
            }
            return lines;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Empties all files whose names match; who appends to them goes on.
    public static void truncate(Path folder, String glob) {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, glob)) {
            for (Path file : files) {
                Files.write(file, new byte[0]);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Writes a file, with the folders that it needs.
    public static void write(Path file, String text) {
        try {
            Files.createDirectories(Objects.requireNonNull(file.getParent()));
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// A copy of a Rails app, without its logs and temporary files, that loads one file more.
    static Path railsApp(Path folder, Path rails, Path jobs) {
        Path copy = folder.resolve("rails");
        try (Stream<Path> files = Files.walk(rails)) {
            for (Path file : files.filter(file -> !isPassing(rails.relativize(file))).toList()) {
                Files.copy(file, copy.resolve(rails.relativize(file).toString()));
            }
            write(copy.resolve("config/initializers/zz_bench.rb"), "require \"" + jobs + "\"\n");
            return copy;
        } catch (IOException e) {
            throw new BenchFailure("cannot copy " + rails + ": " + e.getMessage(), e);
        }
    }

    private static boolean isPassing(Path file) {
        return file.startsWith("log") || file.startsWith("tmp") || file.startsWith(".git");
    }
}
