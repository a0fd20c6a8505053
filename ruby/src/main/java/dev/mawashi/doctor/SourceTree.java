package dev.mawashi.doctor;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// The Ruby files of an app's folder: those that its jobs may load. Links to folders are not
/// followed, so that loops of them do no harm.
final class SourceTree extends SimpleFileVisitor<Path> {
    static final int FILES_MAX = 50_000;

    /// Installed gems, packages, and what the app writes.
    private static final Set<String> FOREIGN =
            Set.of(
                    "vendor",
                    "node_modules",
                    "tmp",
                    "log",
                    "public",
                    "coverage",
                    "storage",
                    "target",
                    "pkg");

    /// At the top these hold no code that jobs load.
    private static final Set<String> FOREIGN_AT_TOP =
            Set.of("spec", "test", "features", "db", "bin", "script", "benchmarks", "docs");

    private final Path root;
    private final List<Path> files = new ArrayList<>();
    private final List<String> troubles = new ArrayList<>();

    private SourceTree(Path root) {
        this.root = root;
    }

    /// @param root a folder
    static SourceTree of(Path root) {
        SourceTree tree = new SourceTree(root);
        try {
            Files.walkFileTree(root, tree);
        } catch (IOException e) {
            tree.troubles.add("cannot read all of " + root + ": " + e.getMessage());
        }
        Collections.sort(tree.files);
        return tree;
    }

    List<Path> files() {
        return files;
    }

    /// A line for each folder or file that cannot be read.
    List<String> troubles() {
        return troubles;
    }

    @Override
    public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
        String name = String.valueOf(folder.getFileName());
        boolean isTop = root.equals(folder.getParent());
        boolean isForeign =
                FOREIGN.contains(name)
                        || name.startsWith(".")
                        // Of Rails' generators: what looks like Ruby there is ERB.
                        || (name.equals("templates") && folder.toString().contains("/generators/"))
                        || (isTop && FOREIGN_AT_TOP.contains(name));
        return isForeign && !folder.equals(root)
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
        if (!file.toString().endsWith(".rb") || !Files.isRegularFile(file)) {
            return FileVisitResult.CONTINUE;
        }
        if (files.size() == FILES_MAX) {
            troubles.add(
                    String.format(
                            Locale.ROOT,
                            "%s has more than %,d Ruby files: the others are not read",
                            root,
                            FILES_MAX));
            return FileVisitResult.TERMINATE;
        }
        files.add(file);
        return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException e) {
        troubles.add("cannot read " + root.relativize(file) + ": " + reason(e));
        return FileVisitResult.CONTINUE;
    }

    static String reason(IOException e) {
        String text = String.valueOf(e.getMessage());
        return e instanceof AccessDeniedException ? "permission denied" : text;
    }
}
