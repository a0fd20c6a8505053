package dev.mawashi.doctor;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// The specifications of gems that are installed on this machine for MRI, as far as the usual
/// folders show them.
final class InstalledGems {
    /// The folders of a system whose subfolders are homes of gems; those of Debian's packages with
    /// code in C are by machine.
    private static final List<String> SYSTEM_FOLDERS =
            List.of(
                    "var/lib/gems",
                    "usr/share/rubygems-integration",
                    "usr/local",
                    "usr/local/lib/ruby/gems");

    private static final String BY_MACHINE = "usr/lib";
    private static final String OF_MACHINE = "rubygems-integration";

    private final List<Path> specifications = new ArrayList<>();

    /// @param app its folder, which may have gems in `vendor/bundle`
    /// @param environment `GEM_HOME` and `GEM_PATH` count
    InstalledGems(Path app, Map<String, String> environment) {
        this(app, environment, Path.of("/"));
    }

    /// @param root of the machine's files
    InstalledGems(Path app, Map<String, String> environment, Path root) {
        Stream.of("GEM_HOME", "GEM_PATH")
                .flatMap(name -> Stream.of(environment.getOrDefault(name, "").split(":", -1)))
                .filter(folder -> !folder.isEmpty())
                .forEach(folder -> add(Path.of(folder)));
        addAll(app.resolve("vendor/bundle/ruby"));
        SYSTEM_FOLDERS.forEach(folder -> addAll(root.resolve(folder)));
        folders(root.resolve(BY_MACHINE)).forEach(folder -> addAll(folder.resolve(OF_MACHINE)));
    }

    private void add(Path home) {
        if (Files.isDirectory(home.resolve("specifications"))) {
            specifications.add(home.resolve("specifications"));
        }
    }

    private void addAll(Path parent) {
        folders(parent).forEach(this::add);
    }

    /// None where it cannot be read.
    private static List<Path> folders(Path parent) {
        if (!Files.isDirectory(parent)) {
            return List.of();
        }
        try (Stream<Path> all = Files.list(parent)) {
            return all.filter(Files::isDirectory).sorted().toList();
        } catch (IOException | UncheckedIOException _) {
            return List.of();
        }
    }

    /// Whether the gem is installed and its specification, as `gem` writes it, names extensions.
    boolean hasExtension(String name, String version) {
        for (Path folder : specifications) {
            Path file = folder.resolve(name + "-" + version + ".gemspec");
            try {
                if (Files.isRegularFile(file)
                        && Files.readString(file, ISO_8859_1).contains(".extensions = [")) {
                    return true;
                }
            } catch (IOException _) {
                // As if it were not installed.
            }
        }
        return false;
    }

    String place() {
        return "the installed gem's specification";
    }
}
