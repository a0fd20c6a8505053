package dev.mawashi.java;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarFile;

/// The jars and folders of the job classes, as `java -cp` takes them.
///
/// @param text as it was given, for messages
/// @param entries in the order in which they are searched
public record JobClassPath(String text, List<Path> entries) {
    private static final String ALL_JARS = "*";

    public JobClassPath {
        entries = List.copyOf(entries);
    }

    /// Reads a class path: jars and folders with `:` between them; `lib/*` stands for all jars in a
    /// folder, by name.
    ///
    /// @throws IllegalArgumentException when one of them is not there or is no jar
    public static JobClassPath of(String text) {
        List<Path> entries = new ArrayList<>();
        for (String entry : text.split(File.pathSeparator, -1)) {
            if (entry.isEmpty()) {
                throw new IllegalArgumentException("an entry is empty: \"" + text + "\"");
            }
            Path path = Path.of(entry);
            if (path.endsWith(ALL_JARS)) {
                entries.addAll(jarsBeside(path));
            } else {
                entries.add(checked(path));
            }
        }
        return new JobClassPath(text, entries);
    }

    private static List<Path> jarsBeside(Path all) {
        Path folder = all.toAbsolutePath().getParent();
        List<Path> jars = new ArrayList<>();
        try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, "*.{jar,JAR}")) {
            found.forEach(jar -> jars.add(checked(jar)));
        } catch (IOException e) {
            throw new IllegalArgumentException("cannot read the folder of " + all, e);
        }
        if (jars.isEmpty()) {
            throw new IllegalArgumentException("there is no jar at " + all);
        }
        jars.sort(null);
        return jars;
    }

    private static Path checked(Path entry) {
        if (!Files.exists(entry)) {
            throw new IllegalArgumentException("there is no " + entry);
        }
        if (Files.isDirectory(entry)) {
            return entry;
        }
        try (JarFile _ = new JarFile(entry.toFile())) {
            return entry;
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    entry + " is neither a folder nor a jar: " + e.getMessage(), e);
        }
    }

    URL[] urls() {
        return entries.stream().map(JobClassPath::url).toArray(URL[]::new);
    }

    private static URL url(Path entry) {
        try {
            return entry.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new UncheckedIOException(e);
        }
    }
}
