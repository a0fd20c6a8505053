package dev.mawashi.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The classes of all jars, the project's own too, parsed and checked once for all the servers that
/// tests start: one of JRuby takes a quarter less CPU until it works.
///
/// The JVM archives nothing from folders, so jars come first on the class path. The first test that
/// needs the archive makes it, and the processes of other tests wait meanwhile. It lies in
/// `target`, and serves until the JVM or a jar changes. Where none can be made servers start
/// without.
final class ClassArchive {
    private static final Path FOLDER = Path.of("target/class-archive").toAbsolutePath();

    /// The JVM warns of what it does not archive.
    private static final List<String> SILENT =
            List.of("-Xlog:disable", "-Xlog:all=warning,cds*=off,aot*=off:stderr");

    /// In a line of the list, before the jar of a class that no class path has.
    private static final String SOURCE = " source: ";

    private final List<String> java;
    private final String archived;
    private final String classPath;
    private final Path archive;

    /// @param java the words that start the JVM with the flags of all servers
    /// @param classPath of this process
    ClassArchive(List<String> java, String classPath) {
        // A server may be started in another folder.
        List<String> entries =
                Stream.of(classPath.split(File.pathSeparator))
                        .map(entry -> Path.of(entry).toAbsolutePath().toString())
                        .toList();
        Map<Boolean, List<String>> parted =
                entries.stream().collect(Collectors.partitioningBy(one -> one.endsWith(".jar")));
        List<String> jars = parted.get(true);
        List<String> folders = parted.get(false);
        this.java = java;
        archived = String.join(File.pathSeparator, jars);
        this.classPath =
                String.join(
                        File.pathSeparator,
                        Stream.of(jars, folders).flatMap(List::stream).toList());
        List<Long> times = jars.stream().map(jar -> new File(jar).lastModified()).toList();
        String bound = java + System.getProperty("java.vm.version") + archived + times;
        archive = FOLDER.resolve(UUID.nameUUIDFromBytes(bound.getBytes(UTF_8)) + ".jsa");
    }

    /// The words that start a JVM with the archive and all classes; a main class may follow.
    List<String> command() {
        List<String> command = new ArrayList<>(java);
        if (isThere()) {
            command.add("-XX:SharedArchiveFile=" + archive);
            command.addAll(SILENT);
        }
        command.addAll(List.of("-cp", classPath));
        return command;
    }

    private boolean isThere() {
        try {
            if (!Files.exists(archive)) {
                makeOnce();
            }
            return Files.size(archive) > 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void makeOnce() throws IOException {
        Files.createDirectories(FOLDER);
        try (FileChannel channel =
                        FileChannel.open(
                                FOLDER.resolve("lock"),
                                StandardOpenOption.CREATE,
                                StandardOpenOption.WRITE);
                var _ = channel.lock()) {
            if (!Files.exists(archive)) {
                Path made = FOLDER.resolve("new.jsa");
                if (!make(made)) {
                    // An empty file says that it could not be made.
                    Files.write(made, new byte[0]);
                }
                Files.move(made, archive, StandardCopyOption.ATOMIC_MOVE);
            }
        }
    }

    /// A rehearsal, as of `mawashi prepare`, lists what it loads.
    private boolean make(Path made) throws IOException {
        Path list = FOLDER.resolve("classes.txt");
        Path home = Path.of("..").toAbsolutePath().normalize();
        return run(
                        "-XX:DumpLoadedClassList=" + list,
                        "-Dmawashi.home=" + home,
                        "-cp",
                        classPath,
                        "dev.mawashi.cli.Rehearsal",
                        "run")
                && run(
                        "-Xshare:dump",
                        "-XX:SharedClassListFile=" + onlyOfJars(list),
                        "-XX:SharedArchiveFile=" + made,
                        "-cp",
                        archived);
    }

    /// JRuby unpacks jars into a folder for the process: the dump ends at a class of one that is
    /// gone.
    private Path onlyOfJars(Path list) throws IOException {
        Set<String> jars = Set.of(archived.split(File.pathSeparator));
        List<String> lines =
                Files.readAllLines(list).stream()
                        .filter(line -> {
                            int source = line.indexOf(SOURCE);
                            return source < 0
                                    || jars.contains(line.substring(source + SOURCE.length()));
                        })
                        .toList();
        return Files.write(list, lines);
    }

    private boolean run(String... words) throws IOException {
        List<String> command = new ArrayList<>(java);
        command.addAll(List.of(words));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().keySet().removeAll(Programs.HIDDEN);
        Process process = builder.redirectOutput(FOLDER.resolve("log.txt").toFile()).start();
        process.getOutputStream().close();
        try {
            return process.waitFor() == 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
