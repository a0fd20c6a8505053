package dev.mawashi.cli;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/// The tables of docs/guide/commands.md, made of what `--help` prints: each command with its flags,
/// then each flag with its meaning. The flags of `run` have a table of their own in the guide.
final class CommandsPage {
    /// In this order in the first table, under one word: each list and each act has them all.
    private static final List<String> FILTERS =
            List.of("--class", "--error", "--jid", "--newer", "--older", "--tag", "--text");

    private static final Set<String> ELSEWHERE = Set.of("run");
    private static final Set<String> EVERYWHERE = Set.of("--help", "--namespace", "--redis");

    private final StringBuilder page = new StringBuilder();

    /// By the cells that follow its name: the commands. Those of several sets share a row.
    private final SequencedMap<List<String>, List<String>> commands = new LinkedHashMap<>();

    /// By flag, then by meaning: the commands.
    private final Map<String, Map<String, SequencedSet<String>>> flags = new TreeMap<>();

    static String text() {
        return new CommandsPage().make();
    }

    /// What lists of commands say of each.
    static List<String> firstLines() {
        return firstLines(Main.commandLine(Map.of())).toList();
    }

    private static Stream<String> firstLines(CommandLine line) {
        return line.getSubcommands().values().stream()
                .flatMap(inner ->
                        Stream.concat(
                                Stream.of(inner.getCommandSpec().usageMessage().description()[0]),
                                firstLines(inner)));
    }

    private String make() {
        CommandLine all = Main.commandLine(Map.of());
        page.append("| command | what it does | flags |\n|---|---|---|\n");
        all.getSubcommands().values().forEach(this::addCommand);
        commands.forEach((cells, names) ->
                addRow(String.join(", ", names), cells.getFirst(), cells.getLast()));
        page.append("\n## Flags\n\n| flag | meaning | of |\n|---|---|---|\n");
        flags.forEach(this::addFlag);
        return page.toString();
    }

    private void addCommand(CommandLine line) {
        CommandSpec spec = line.getCommandSpec();
        String name = spec.qualifiedName().substring("mawashi ".length());
        boolean isLikeRun = name.equals("config");
        List<OptionSpec> options =
                spec.options().stream()
                        .filter(option -> !option.hidden())
                        .filter(option -> !isLikeRun || !isOfRun(option))
                        .toList();
        String flagsOfRun = isLikeRun ? "[those of run](run.md#flags), " : "";
        String call =
                Stream.concat(Stream.of(name), parameters(spec)).collect(Collectors.joining(" "));
        commands.computeIfAbsent(
                        List.of(
                                String.join(" ", spec.usageMessage().description()),
                                ELSEWHERE.contains(name)
                                        ? "[its own](run.md#flags)"
                                        : flagsOfRun + names(options)),
                        _ -> new ArrayList<>())
                .add("`" + call + "`");
        if (!ELSEWHERE.contains(name)) {
            options.forEach(option -> addMeaning(option, name));
        }
        line.getSubcommands().values().forEach(this::addCommand);
    }

    private static boolean isOfRun(OptionSpec option) {
        return new CommandLine(new RunCommand(Map.of()))
                .getCommandSpec()
                .optionsMap()
                .containsKey(option.longestName());
    }

    private static Stream<String> parameters(CommandSpec spec) {
        return spec.positionalParameters().stream().map(CommandsPage::parameter);
    }

    private static String parameter(PositionalParamSpec parameter) {
        String label = parameter.paramLabel() + (parameter.isMultiValue() ? "..." : "");
        return parameter.arity().min() == 0 ? "[" + label + "]" : label;
    }

    /// The flags of a command, all filters as one.
    private static String names(List<OptionSpec> options) {
        Set<String> names = new TreeSet<>();
        options.forEach(option -> names.add(option.longestName()));
        List<String> words = new ArrayList<>();
        if (names.containsAll(FILTERS)) {
            FILTERS.forEach(names::remove);
            words.add("filters");
        }
        names.removeAll(EVERYWHERE);
        names.forEach(name -> words.add("`" + name + "`"));
        return String.join(", ", words);
    }

    private void addMeaning(OptionSpec option, String command) {
        String label = option.paramLabel();
        String flag =
                String.join(", ", option.names()) + (option.arity().max() == 0 ? "" : " " + label);
        flags.computeIfAbsent(flag, _ -> new TreeMap<>())
                .computeIfAbsent(String.join(" ", option.description()), _ -> new LinkedHashSet<>())
                .add(command);
    }

    /// Commands are named where a flag has several meanings; the one that most have is the last.
    private void addFlag(String flag, Map<String, SequencedSet<String>> meanings) {
        List<Map.Entry<String, SequencedSet<String>>> rows = new ArrayList<>(meanings.entrySet());
        rows.sort(Comparator.comparing(row -> row.getValue().size()));
        for (Map.Entry<String, SequencedSet<String>> row : rows) {
            boolean isLast = row == rows.getLast();
            String of = rows.size() == 1 ? "" : isLast ? "the others" : of(row.getValue());
            addRow("`" + flag + "`", row.getKey(), of);
        }
    }

    private static String of(SequencedSet<String> commands) {
        return commands.stream()
                .map(command -> "`" + command + "`")
                .collect(Collectors.joining(", "));
    }

    private void addRow(String... cells) {
        page.append("| ")
                .append(
                        Stream.of(cells)
                                .map(cell -> cell.replace("|", "\\|"))
                                .collect(Collectors.joining(" | ")))
                .append(" |\n");
    }
}
