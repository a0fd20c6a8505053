package dev.mawashi.embedded;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The folders that are searched for programs, in order.
public record SearchPath(List<Path> folders) {
    public SearchPath {
        folders = List.copyOf(folders);
    }

    /// @param value the form of the environment variable `PATH`; empty entries are left out
    public static SearchPath of(String value) {
        List<Path> folders = new ArrayList<>();
        for (String entry : value.split(File.pathSeparator, -1)) {
            if (!entry.isEmpty()) {
                folders.add(Path.of(entry));
            }
        }
        return new SearchPath(folders);
    }

    /// All programs of that name.
    public List<Path> all(String name) {
        List<Path> found = new ArrayList<>();
        for (Path folder : folders) {
            Path candidate = folder.resolve(name);
            if (RedisBinary.isExecutable(candidate)) {
                found.add(candidate);
            }
        }
        return found;
    }

    /// The first program of that name, if there is one.
    public Optional<Path> first(String name) {
        return all(name).stream().findFirst();
    }
}
