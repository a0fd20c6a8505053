package dev.mawashi.cli;

import java.io.PrintWriter;
import java.io.Writer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.PositionalParamSpec;

/// A program that calls all commands that read, whatever they are, as the command line has them:
/// first one after the other, then two at once. It ends with 1 when any of them fails.
public final class ReadingCommands {
    /// Those that act, serve, or ask no Redis. A command that is not named here is one that reads.
    private static final Set<String> OTHERS =
            Set.of(
                    "demo",
                    "run",
                    "push",
                    "cancel",
                    "erase",
                    "migrate",
                    "restart",
                    "reload",
                    "undo",
                    // Ends with 1 where no job runs.
                    "profile",
                    // Writes a file.
                    "heap",
                    "web",
                    // Its libraries are not here.
                    "mcp",
                    "redis",
                    // Looks at an app, too, and ends with 1 where that has to change.
                    "doctor",
                    "config",
                    "init",
                    "version",
                    "clear",
                    "delete",
                    "move",
                    "pause",
                    "unpause",
                    "resume",
                    "free",
                    "retry",
                    "requeue",
                    "reschedule",
                    "bury",
                    "remove",
                    "quiet",
                    "stop",
                    "dump");

    /// Where a command has the same name as one that does not read.
    private static final Set<List<String>> READERS = Set.of(List.of("stats", "redis"));

    private static final List<List<String>> VARIANTS =
            List.of(List.of("--json"), List.of("--text", "y"), List.of("--class", "A"));

    private ReadingCommands() {}

    /// @param arguments what stands for positional parameters, by their labels: `QUEUE=q-1`;
    ///   `PRINT=1` to print what they print
    public static void main(String[] arguments) throws InterruptedException {
        Map<String, String> values =
                Stream.of(arguments)
                        .map(word -> word.split("=", 2))
                        .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1]));
        List<List<String>> calls = calls(values);
        List<String> failed = Collections.synchronizedList(new ArrayList<>());
        boolean isPrinting = values.containsKey("PRINT");
        call(calls, failed, isPrinting);
        int half = calls.size() / 2;
        Thread beside =
                Thread.ofPlatform()
                        .name("mawashi-beside-1")
                        .start(() -> call(calls.subList(0, half), failed, isPrinting));
        call(calls.subList(half, calls.size()), failed, isPrinting);
        beside.join();
        System.err.println(calls.size() + " calls; failed: " + failed);
        System.exit(failed.isEmpty() ? 0 : 1);
    }

    private static void call(List<List<String>> calls, List<String> failed, boolean isPrinting) {
        for (List<String> words : calls) {
            PrintWriter out =
                    isPrinting
                            ? new PrintWriter(System.out, true)
                            : new PrintWriter(Writer.nullWriter());
            int code = Main.run(words, System.getenv(), out, new PrintWriter(System.err, true));
            if (code != 0) {
                failed.add(words + " ended with " + code);
            }
        }
    }

    /// Each as its words, once as it is and once with each option of those that change what is
    /// read.
    private static List<List<String>> calls(Map<String, String> values) {
        List<List<String>> calls = new ArrayList<>();
        Commands commands = new Commands(Map.of());
        for (String name : Commands.NAMES) {
            add(List.of(name), commands.make(name), values, calls);
        }
        return calls;
    }

    private static void add(
            List<String> name,
            CommandLine line,
            Map<String, String> values,
            List<List<String>> calls) {
        if (OTHERS.contains(name.getLast()) && !READERS.contains(name)) {
            return;
        }
        List<String> words = new ArrayList<>(name);
        if (line.getCommandSpec().findOption("--once") != null) {
            words.add("--once");
        }
        for (PositionalParamSpec one : line.getCommandSpec().positionalParameters()) {
            if (one.arity().min() > 0) {
                words.add(values.getOrDefault(one.paramLabel(), "no " + one.paramLabel()));
            }
        }
        calls.add(words);
        for (List<String> variant : VARIANTS) {
            if (line.getCommandSpec().findOption(variant.getFirst()) != null) {
                List<String> longer = new ArrayList<>(words);
                longer.addAll(variant);
                calls.add(longer);
            }
        }
        line.getSubcommands()
                .forEach((word, sub) -> {
                    List<String> path = new ArrayList<>(name);
                    path.add(word);
                    add(path, sub, values, calls);
                });
    }
}
