package dev.mawashi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The rules of docs/STYLE.md that a search can judge, over the whole tree; and each of them seen
/// to fail once.
final class TidyTest {
    private static final Set<String> NOT_OURS =
            Set.of(".git", ".mawashi", "dist", "target", "node_modules");

    @TempDir Path folder;

    @Test
    void theTreeIsTidy() throws IOException {
        assertThat(complaints(Path.of("..").toRealPath())).isEmpty();
    }

    @Test
    void aLongFileIsFound() {
        assertComplaint("core/src/main/java/dev/A.java", "x\n".repeat(401), "401 lines");
    }

    @Test
    void aLongMethodIsFound() {
        String method = "    void a() {\n" + "        b();\n".repeat(39) + "    }\n";
        assertComplaint("core/src/main/java/dev/A.java", method, "41 lines");
    }

    @Test
    void bannedWordsAreFoundWithTheirReplacement() {
        for (TidyRules.Ban ban : TidyRules.BANS) {
            assertComplaint("core/src/main/java/dev/A.java", ban.text() + ")\n", ban.instead());
        }
    }

    @Test
    void aSkippedTestIsFound() {
        assertComplaint("core/src/test/java/dev/A.java", "@" + "Disabled\n", "repair or delete");
    }

    @Test
    void anOpenPointWithoutAnIssueIsFound() {
        assertComplaint("core/src/main/java/dev/A.java", "// TO" + "DO later\n", "issue number");
        assertThat(TidyRules.complaints("A.java", "// TO" + "DO #12 later\n")).isEmpty();
    }

    @Test
    void aDocOfATypeThatBeginsWithAQuestionIsFound() {
        String path = "bench/src/main/java/dev/A.java";
        String doc = "    /// Where it is.\n    ///\n    /// More.\n";
        String annotation = "    @Command(\n            name = \"a\")\n";
        assertComplaint(path, doc + annotation + "    private record A() {}\n", "not with Where");
        assertComplaint("a.rb", "module A\n  # How much.\n  class B\n", "not with How");
        assertComplaint("a.lua", "-- Whether it is.\n", "not with Whether");
        assertThat(TidyRules.complaints(path, doc + "    String where() {}\n")).isEmpty();
        assertThat(TidyRules.complaints(path, "/// One.\n/// What.\nclass A {}\n")).isEmpty();
    }

    @Test
    void aNumberInTheDigitsOfALocaleIsFound() {
        String path = "core/src/main/java/dev/A.java";
        assertComplaint(
                path, "\"a %s\"\n    + \" of %,d\"\n    .formatted(a, b);\n", "A.java:1: some");
        assertComplaint(path, "a();\nout.printf(\n    \"%.1f\", a);\n", "A.java:2: some");
        assertComplaint(path, "\"\"\"\n\"a\" %2$d\n\"\"\".formatted(a, b);\n", "locales");
        String good = "String.format(Locale.ROOT, \"%d\", a);\n\"%s %%d\".formatted(b);\n";
        assertThat(TidyRules.complaints(path, good)).isEmpty();
    }

    @Test
    void aPackageWithoutNullMarkedIsFound() throws IOException {
        write("core/src/main/java/dev/A.java", "class A {}\n");
        write("core/src/main/java/dev/package-info.java", "package dev;\n");
        assertThat(complaints(folder)).anyMatch(line -> line.contains("@NullMarked"));
    }

    @Test
    void twoClassesOfOneNameAreFound() throws IOException {
        write("core/src/main/java/dev/a/Table.java", "class Table {}\n");
        write("web/src/main/java/dev/b/Table.java", "class Table {}\n");
        assertThat(complaints(folder)).anyMatch(line -> line.contains("has this name"));
    }

    @Test
    void aRubyFileWithoutItsHeaderIsFound() {
        assertComplaint("ruby/src/main/ruby/a.rb", "puts 1\n", "frozen_string_literal");
    }

    @Test
    void aChangelogWithoutUnreleasedIsFound() {
        assertComplaint("CHANGELOG.md", "# Changes\n", "Unreleased");
    }

    @Test
    void aBigFileIsFound() throws IOException {
        write("docs/big.bin", "x".repeat((1 << 20) + 1));
        assertThat(complaints(folder)).anyMatch(line -> line.contains("1 MiB"));
    }

    private static void assertComplaint(String path, String text, String words) {
        assertThat(TidyRules.complaints(path, text)).anyMatch(line -> line.contains(words));
    }

    private void write(String path, String text) throws IOException {
        Files.createDirectories(folder.resolve(path).getParent());
        Files.writeString(folder.resolve(path), text);
    }

    private static List<String> complaints(Path root) throws IOException {
        List<String> complaints = new ArrayList<>();
        Map<String, String> names = new HashMap<>();
        for (Path file : files(root)) {
            String path = root.relativize(file).toString();
            if (Files.size(file) > TidyRules.FILE_BYTES_MAX) {
                complaints.add(path + ": larger than 1 MiB: keep it elsewhere");
            } else if (TidyRules.isSource(path)) {
                complaints.addAll(TidyRules.complaints(path, Files.readString(file)));
            }
            if (isMainClass(file, path) && names.put(file.getFileName().toString(), path) != null) {
                complaints.add(path + ": another class has this name");
            }
            if (path.contains("src/main/java/")
                    && !isNullMarked(file.resolveSibling("package-info.java"))) {
                complaints.add(path + ": its package has no package-info.java with @NullMarked");
            }
        }
        return complaints;
    }

    /// Each program has its `Main`.
    private static boolean isMainClass(Path file, String path) {
        return path.contains("src/main/java/")
                && !Set.of("package-info.java", "Main.java").contains("" + file.getFileName());
    }

    private static boolean isNullMarked(Path packageInfo) throws IOException {
        return Files.exists(packageInfo) && Files.readString(packageInfo).contains("@NullMarked");
    }

    private static List<Path> files(Path root) throws IOException {
        List<Path> files = new ArrayList<>();
        Files.walkFileTree(
                root,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult preVisitDirectory(Path dir, BasicFileAttributes a) {
                        return NOT_OURS.contains(dir.getFileName().toString())
                                ? FileVisitResult.SKIP_SUBTREE
                                : FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes a) {
                        files.add(file);
                        return FileVisitResult.CONTINUE;
                    }
                });
        return files;
    }
}
