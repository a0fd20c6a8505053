package dev.mawashi.bench;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/// A temporary folder with what a benchmark's servers load and write. It stays after a failure, for
/// the logs in it.
final class BenchFolder {
    private BenchFolder() {}

    static Path make() {
        try {
            return Files.createTempDirectory("mawashi-bench-");
        } catch (IOException e) {
            throw new BenchFailure("cannot make a temporary folder: " + e.getMessage(), e);
        }
    }

    /// An app of the benchmarks, with what it loads beside it: where the sources are, since a
    /// server finds what an earlier start has kept by the path of its app.
    ///
    /// @param name its file name, such as `noop.rb`
    static Path app(String name) {
        return Launcher.checkout().resolve("bench/src/main/resources/dev/mawashi/bench", name);
    }

    /// Copies a file of the jar.
    static Path copy(String name, Path folder) {
        Path file = folder.resolve(name);
        try (InputStream source = BenchFolder.class.getResourceAsStream(name)) {
            if (source == null) {
                throw new IllegalStateException(name + " is not in the jar");
            }
            Files.copy(source, file, StandardCopyOption.REPLACE_EXISTING);
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// A text of the jar.
    static String text(String name) {
        try (InputStream source = BenchFolder.class.getResourceAsStream(name)) {
            if (source == null) {
                throw new IllegalStateException(name + " is not in the jar");
            }
            return new String(source.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// All lines of the files with such names.
    static List<String> lines(Path folder, String glob) {
        List<String> lines = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, glob)) {
            for (Path file : files) {
                lines.addAll(Files.readAllLines(file));
            }
            return lines;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Path write(Path folder, String name, String text) {
        try {
            return Files.writeString(Files.createDirectories(folder).resolve(name), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// A copy of a Rails app, without its logs and temporary files, that loads a file more.
    static Path railsApp(Path folder, Path rails, Path jobs) {
        Path copy = folder.resolve("rails");
        try (Stream<Path> files = Files.walk(rails)) {
            for (Path file : files.filter(file -> !isPassing(rails.relativize(file))).toList()) {
                Files.copy(file, copy.resolve(rails.relativize(file).toString()));
            }
            Path initializers = Files.createDirectories(copy.resolve("config/initializers"));
            Files.writeString(initializers.resolve("zz_bench.rb"), "require \"" + jobs + "\"\n");
            return copy;
        } catch (IOException e) {
            throw new BenchFailure("cannot copy " + rails + ": " + e.getMessage(), e);
        }
    }

    private static boolean isPassing(Path file) {
        return file.startsWith("log") || file.startsWith("tmp") || file.startsWith(".git");
    }

    static void delete(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new BenchFailure("cannot delete " + folder + ": " + e.getMessage(), e);
        }
    }
}
