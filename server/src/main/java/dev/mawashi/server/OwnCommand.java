package dev.mawashi.server;

import dev.mawashi.children.Home;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The command line of this process, with which it starts another one of its kind: same JVM flags,
/// words and environment, another role.
final class OwnCommand {
    /// Begin the words that say which role a server has. They are the last ones.
    private static final Set<String> ROLES = Set.of(SoloProcess.FLAG, Predecessor.FLAG);

    private static final Path COMMAND_LINE = Path.of("/proc/self/cmdline");

    /// Flags that only one process can have, since they open a port.
    private static final List<String> NOT_TWICE =
            List.of("-agentlib:jdwp", "-Dcom.sun.management.jmxremote");

    /// Words of the JVM behind which files are named.
    private static final Set<String> CLASS_PATHS =
            Set.of("-cp", "-classpath", "--class-path", "-jar");

    private static final String AGENT = "-javaagent:";

    private OwnCommand() {}

    /// What starts this process's command in another folder and with another environment. What it
    /// prints goes where this process's does.
    ///
    /// @param role the last word
    static ProcessBuilder in(Home home, String role) throws IOException {
        List<String> words = withoutRole(words());
        words.removeIf(word -> NOT_TWICE.stream().anyMatch(word::startsWith));
        words.add(role);
        ProcessBuilder builder = new ProcessBuilder(words);
        Path folder = home.folder();
        if (folder != null) {
            builder.command(elsewhere(words, Path.of("").toAbsolutePath()));
            builder.directory(folder.toFile());
        }
        home.environment()
                .forEach((name, value) -> {
                    String own = System.getenv(name);
                    if (own != null && !own.equals(value)) {
                        builder.environment().put(name, value);
                    }
                });
        return builder.redirectOutput(ProcessBuilder.Redirect.INHERIT)
                .redirectError(ProcessBuilder.Redirect.INHERIT);
    }

    /// A command line without the words that give it a role.
    static List<String> withoutRole(List<String> words) {
        List<String> plain = new ArrayList<>(words);
        plain.removeIf(word -> ROLES.contains(word.split("=", 2)[0]));
        return plain;
    }

    /// A command line of Java's for another folder: the program, the class path and agents are
    /// those of this one. What follows the class path is the server's, and means files of the app.
    static List<String> elsewhere(List<String> command, Path here) {
        List<String> words = new ArrayList<>(command);
        if (words.getFirst().contains("/")) {
            words.set(0, here.resolve(words.getFirst()).toString());
        }
        for (int i = 1; i < words.size(); i++) {
            String word = words.get(i);
            if (word.startsWith(AGENT)) {
                words.set(i, AGENT + here.resolve(word.substring(AGENT.length())));
            } else if (CLASS_PATHS.contains(words.get(i - 1))) {
                words.set(
                        i,
                        Stream.of(word.split(File.pathSeparator, -1))
                                .map(entry -> here.resolve(entry).toString())
                                .collect(Collectors.joining(File.pathSeparator)));
                return words;
            }
        }
        return words;
    }

    /// The words of this process's command line.
    static List<String> words() throws IOException {
        if (Files.exists(COMMAND_LINE)) {
            // ProcessHandle does not show a command line longer than a page of memory.
            String all = Files.readString(COMMAND_LINE, StandardCharsets.UTF_8);
            List<String> words = new ArrayList<>(List.of(all.split("\0", -1)));
            words.removeLast();
            return words;
        }
        ProcessHandle.Info self = ProcessHandle.current().info();
        List<String> words = new ArrayList<>();
        words.add(
                self.command()
                        .orElseThrow(() -> new IllegalStateException("no command line is shown")));
        words.addAll(List.of(self.arguments().orElse(new String[0])));
        return words;
    }
}
