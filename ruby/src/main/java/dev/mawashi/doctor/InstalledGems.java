package dev.mawashi.doctor;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// The specifications of gems that are installed on this machine for MRI, as far as the usual
/// folders show them.
final class InstalledGems {
    private static final List<String> SYSTEM_FOLDERS =
            List.of(
                    "/var/lib/gems/*",
                    "/usr/share/rubygems-integration/*",
                    "/usr/local/bundle",
                    "/usr/local/lib/ruby/gems/*");

    private final List<Path> specifications = new ArrayList<>();

    /// @param app its folder, which may have gems in `vendor/bundle`
    /// @param environment `GEM_HOME` and `GEM_PATH` count
    InstalledGems(Path app, Map<String, String> environment) {
        Stream.of("GEM_HOME", "GEM_PATH")
                .flatMap(name -> Stream.of(environment.getOrDefault(name, "").split(":", -1)))
                .filter(folder -> !folder.isEmpty())
                .forEach(folder -> add(Path.of(folder)));
        addAll(app.resolve("vendor/bundle/ruby"), "*");
        for (String folder : SYSTEM_FOLDERS) {
            if (folder.endsWith("/*")) {
                addAll(Path.of(folder.substring(0, folder.length() - 2)), "*");
            } else {
                add(Path.of(folder));
            }
        }
    }

    private void add(Path home) {
        if (Files.isDirectory(home.resolve("specifications"))) {
            specifications.add(home.resolve("specifications"));
        }
    }

    private void addAll(Path parent, String pattern) {
        if (!Files.isDirectory(parent)) {
            return;
        }
        try (DirectoryStream<Path> homes = Files.newDirectoryStream(parent, pattern)) {
            homes.forEach(this::add);
        } catch (IOException _) {
            // A folder that cannot be read shows no gems.
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
