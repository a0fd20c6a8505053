package dev.mawashi.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.texts.Texts;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/// Commands and flags that texts show are there, and the flags of `run` are all in the guide.
final class CommandsInTextsTest {
    private static final Pattern FLAG = Pattern.compile("`(--[a-z][a-z-]+)");
    private static final Pattern FLAGS_OF_RUN =
            Pattern.compile("(?m)^\\| ((?:`-.+?`(?:, )?)+) \\|");
    private static final Pattern NAME = Pattern.compile("`(--?[a-zA-Z-]+)");

    /// Commands of the launcher, which is a shell script.
    private static final Set<String> LAUNCHERS =
            Set.of("bench", "health", "jruby", "package", "prepare");

    /// Flags of `bench`, and of other programs.
    private static final Set<String> OTHERS =
            Set.of("--peer", "--job-log", "--middleware", "--stop-timeout");

    private final CommandLine all = Main.commandLine(Map.of());

    @Test
    void eachCallIsOneThatTheCommandLineTakes() {
        List<String> wrong = new ArrayList<>();
        int calls = 0;
        for (Path page : pages()) {
            for (String call : Texts.calls(page)) {
                calls++;
                complaint(call).forEach(word -> wrong.add(page + ": " + word + " in " + call));
            }
        }
        assertThat(calls).isGreaterThan(100);
        assertThat(wrong).isEmpty();
    }

    @Test
    void eachFlagBetweenBackticksIsThere() {
        Set<String> known = options(all).collect(Collectors.toSet());
        assertThat(
                        pages().stream()
                                .flatMap(page ->
                                        Texts.groups(FLAG, Texts.read(page))
                                                .filter(Predicate.not(known::contains))
                                                .filter(Predicate.not(OTHERS::contains))
                                                .map(flag -> page + ": " + flag)))
                .isEmpty();
    }

    @Test
    void theGuideHasTheFlagsOfRun() {
        Set<String> shown =
                Texts.groups(FLAGS_OF_RUN, Texts.read(Texts.GUIDE.resolve("run.md")))
                        .flatMap(cell -> Texts.groups(NAME, cell))
                        .collect(Collectors.toSet());
        List<String> own =
                Objects.requireNonNull(all.getSubcommands().get("run"))
                        .getCommandSpec()
                        .options()
                        .stream()
                        .filter(option -> !option.hidden() && !option.usageHelp())
                        .map(OptionSpec::names)
                        .flatMap(Arrays::stream)
                        .toList();
        assertThat(shown).containsExactlyInAnyOrderElementsOf(own);
    }

    /// What this call has that the command line does not.
    private Stream<String> complaint(String call) {
        List<String> words = List.of(call.split("[\\s()]+", -1));
        if (LAUNCHERS.contains(words.getFirst())) {
            return Stream.empty();
        }
        CommandLine at = all;
        List<String> wrong = new ArrayList<>();
        for (String word : words) {
            CommandLine inner = at.getSubcommands().get(word);
            String flag = word.split("=", 2)[0];
            if (inner != null) {
                at = inner;
            } else if (at == all) {
                return Stream.of(word);
            } else if (flag.matches("--?[a-zA-Z][a-z-]*")
                    && !at.getCommandSpec().optionsMap().containsKey(flag)) {
                wrong.add(flag);
            }
        }
        return wrong.stream();
    }

    private static Stream<String> options(CommandLine line) {
        return Stream.concat(
                line.getCommandSpec().optionsMap().keySet().stream(),
                line.getSubcommands().values().stream().flatMap(CommandsInTextsTest::options));
    }

    private static List<Path> pages() {
        return Stream.concat(
                        Stream.of(Texts.ROOT.resolve("CHANGELOG.md")), Texts.usersPages().stream())
                .toList();
    }
}
