package dev.mawashi.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Reads all Ruby files of an app.
final class AppSources {
    static final int FILE_BYTES_MAX = 1 << 20;

    private final Path root;
    private final List<SourceFile> files = new ArrayList<>();
    private final List<String> troubles = new ArrayList<>();

    private AppSources(Path root) {
        this.root = root;
    }

    /// @param root the app's folder
    /// @param start that folder, or a file in it, which is read alone
    static AppSources read(Path root, Path start, RubyParser parser) {
        AppSources sources = new AppSources(root);
        List<Path> found = List.of(start);
        if (Files.isDirectory(start)) {
            SourceTree tree = SourceTree.of(start);
            sources.troubles.addAll(tree.troubles());
            found = tree.files();
        }
        found.forEach(file -> sources.read(file, parser));
        return sources;
    }

    List<SourceFile> files() {
        return files;
    }

    List<String> troubles() {
        return troubles;
    }

    private void read(Path file, RubyParser parser) {
        String name = root.toAbsolutePath().relativize(file.toAbsolutePath()).toString();
        try {
            long size = Files.size(file);
            if (size > FILE_BYTES_MAX) {
                troubles.add(
                        String.format(
                                Locale.ROOT,
                                "%s is %,d bytes, at most %,d: it is not read",
                                name,
                                size,
                                FILE_BYTES_MAX));
                return;
            }
            files.add(SourceFile.of(name, parser.parse(Files.readAllBytes(file))));
        } catch (IOException e) {
            troubles.add("cannot read " + name + ": " + SourceTree.reason(e));
        } catch (RubyParser.Unparsable e) {
            troubles.add(name + " is not read: " + e.getMessage());
        } catch (StackOverflowError _) {
            troubles.add(name + " is nested too deeply: it is not read");
        }
    }
}
