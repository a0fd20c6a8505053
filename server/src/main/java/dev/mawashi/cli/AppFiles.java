package dev.mawashi.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.CREATE_NEW;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;

/// The files of an app that `mawashi init` writes. What is there is never changed, but for a line
/// at the end of the Procfile. Each of its methods answers with what it did.
final class AppFiles {
    private static final String LEFT = "is there, and stays as it is";

    private final Path folder;
    private final String command;

    private AppFiles(Path folder, String command) {
        this.folder = folder;
        this.command = command;
    }

    /// @throws WrongUse when the folder is none, or holds no app
    static AppFiles of(Path folder) {
        if (!Files.isDirectory(folder)) {
            throw new WrongUse("there is no folder " + folder);
        }
        String run = "bin/mawashi run";
        if (Files.isRegularFile(folder.resolve("config/application.rb"))) {
            return new AppFiles(folder, run);
        }
        List<String> programs = programs(folder);
        if (programs.isEmpty() && !Files.isRegularFile(folder.resolve("Gemfile"))) {
            throw new WrongUse(
                    folder.toAbsolutePath().normalize()
                            + " holds no app: no config/application.rb, no Gemfile and no Ruby file"
                            + " (call it in the app's folder, or name that)");
        }
        // Which of several loads the jobs is the reader's to say.
        String program = programs.size() == 1 ? programs.getFirst() : "jobs.rb";
        return new AppFiles(folder, run + " -r ./" + program);
    }

    private static List<String> programs(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> String.valueOf(file.getFileName()))
                    .filter(name -> name.endsWith(".rb"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw failure("read", folder, e);
        }
    }

    /// How the app's jobs are run from its folder.
    String command() {
        return command;
    }

    String writeConfig() {
        return write("config/mawashi.yml", "rw-r--r--")
                ? "written; as it is it changes nothing"
                : LEFT;
    }

    String writeBinstub() {
        return write("bin/mawashi", "rwxr-xr-x") ? "written; calls this machine's Mawashi" : LEFT;
    }

    private boolean write(String name, String mode) {
        Path file = folder.resolve(name);
        if (Files.exists(file, NOFOLLOW_LINKS)) {
            return false;
        }
        String source = "init/" + file.getFileName();
        try (InputStream text = AppFiles.class.getResourceAsStream(source)) {
            if (text == null) {
                throw new IllegalStateException(source + " is not in the jar");
            }
            Files.createDirectories(folder.resolve(name).getParent());
            Files.write(file, text.readAllBytes(), CREATE_NEW);
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
            return true;
        } catch (IOException e) {
            throw failure("write", file, e);
        }
    }

    String addToProcfile() {
        Path file = folder.resolve("Procfile");
        try {
            String text = Files.exists(file) ? Files.readString(file) : "";
            if (text.contains("mawashi run")) {
                return "has a line for it, and stays as it is";
            }
            boolean isTaken = text.lines().anyMatch(line -> line.startsWith("worker:"));
            String line = (isTaken ? "mawashi: " : "worker: ") + command;
            String gap = text.isEmpty() || text.endsWith("\n") ? "" : "\n";
            Files.writeString(file, gap + line + "\n", UTF_8, CREATE, APPEND);
            return "has one line more: "
                    + line
                    + (isTaken ? " (its line worker: starts what it did)" : "");
        } catch (IOException e) {
            throw failure("write", file, e);
        }
    }

    private static UncheckedIOException failure(String what, Path file, IOException cause) {
        return new UncheckedIOException(
                "cannot " + what + " " + file + ": " + cause.getMessage(), cause);
    }
}
