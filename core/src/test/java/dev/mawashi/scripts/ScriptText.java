package dev.mawashi.scripts;

import dev.mawashi.broker.Broker;
import dev.mawashi.figures.MetricsTable;
import dev.mawashi.fleet.ProcessTable;
import dev.mawashi.redis.Script;
import dev.mawashi.tables.SetEditing;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// A script as its own text describes it.
///
/// @param keys how many keys its head numbers
/// @param highestKey of those that it names by a number
/// @param hasMore whether more keys follow those, for each queue or job
/// @param commands what it may call, includes too
/// @param isMirrored whether Resque's queues have one with left and right exchanged
record ScriptText(
        String name,
        Script script,
        int keys,
        int highestKey,
        boolean hasMore,
        Set<String> commands,
        boolean isRefusedByFullRedis,
        boolean isMirrored) {

    /// One class of each package that has scripts.
    private static final List<Class<?>> ROOMS =
            List.of(Broker.class, SetEditing.class, ProcessTable.class, MetricsTable.class);

    private static final Path MAIN = Path.of("src/main").toAbsolutePath();
    private static final Pattern HEAD = Pattern.compile("(?s)\n-- KEYS(.*?)\n(?!--  )");
    private static final Pattern NUMBER = Pattern.compile("(?<=  |, |: )(\\d+)(?=,| )");
    private static final Pattern KEY = Pattern.compile("KEYS\\[(\\d+)\\]");
    private static final Pattern MORE =
            Pattern.compile("\\bthen (for each|each|the)\\b|\\bone for each\\b");
    private static final Pattern CALL =
            Pattern.compile("redis\\.p?call\\(\\s*'([A-Z]+)'|'([A-Z]+)' or '([A-Z]+)'");
    private static final Pattern MIRRORED = Pattern.compile("\\.script\\(\"(\\w+\\.lua)\"\\)");

    ScriptText {
        commands = Set.copyOf(commands);
    }

    /// All that are called by themselves, which their first line tells.
    static List<ScriptText> all() throws IOException {
        List<ScriptText> all = new ArrayList<>();
        Set<String> mirrored = mirrored();
        requireARoomForEach();
        for (Class<?> room : ROOMS) {
            String folder = room.getPackageName().replace('.', '/');
            try (Stream<Path> files = Files.list(MAIN.resolve("resources").resolve(folder))) {
                for (Path file : files.sorted().toList()) {
                    if (Files.readString(file).startsWith("#!lua")) {
                        all.add(read(room, file.getFileName().toString(), mirrored));
                    }
                }
            }
        }
        return all;
    }

    /// A folder without a room would have scripts that nothing tries.
    private static void requireARoomForEach() throws IOException {
        Set<Path> rooms = new TreeSet<>();
        ROOMS.forEach(room ->
                rooms.add(
                        MAIN.resolve("resources")
                                .resolve(room.getPackageName().replace('.', '/'))));
        try (Stream<Path> files = Files.walk(MAIN.resolve("resources"))) {
            files.filter(file -> file.toString().endsWith(".lua"))
                    .filter(file -> !rooms.contains(file.getParent()))
                    .forEach(file -> {
                        throw new AssertionError(file + " is in no room");
                    });
        }
    }

    private static ScriptText read(Class<?> room, String name, Set<String> mirrored) {
        Script script = Script.beside(room, name);
        String text = new String(script.source(), StandardCharsets.UTF_8);
        String head = HEAD.matcher(text).results().map(m -> m.group(1)).findFirst().orElseThrow();
        String first = text.lines().findFirst().orElseThrow();
        return new ScriptText(
                name,
                script,
                highest(NUMBER, head),
                highest(KEY, text),
                MORE.matcher(head).find(),
                commands(script),
                !first.contains("allow-oom") && !first.contains("no-writes"),
                mirrored.contains(name));
    }

    private static int highest(Pattern number, String text) {
        return number.matcher(text)
                .results()
                .mapToInt(found -> Integer.parseInt(found.group(1)))
                .max()
                .orElse(0);
    }

    static Set<String> commands(Script script) {
        Set<String> commands = new TreeSet<>();
        String text = new String(script.source(), StandardCharsets.UTF_8);
        for (MatchResult call : CALL.matcher(text).results().toList()) {
            for (int i = 1; i <= call.groupCount(); i++) {
                if (call.group(i) != null) {
                    commands.add(call.group(i));
                }
            }
        }
        return commands;
    }

    private static Set<String> mirrored() throws IOException {
        Set<String> names = new TreeSet<>();
        try (Stream<Path> files = Files.walk(MAIN.resolve("java"))) {
            for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
                MIRRORED.matcher(Files.readString(file))
                        .results()
                        .forEach(m -> names.add(m.group(1)));
            }
        }
        return names;
    }
}
