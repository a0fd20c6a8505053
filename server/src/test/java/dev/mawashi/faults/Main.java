package dev.mawashi.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The program behind `.ci/faults`.
public final class Main {
    private static final Set<String> RUNNERS = Set.of("jruby", "mri", "fork");

    /// How much longer than promised a recovery may take, for scheduling on a busy machine.
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private static final String USAGE =
            """
            usage: .ci/faults list
                   .ci/faults NUMBER... | all | quick [--peer sidekiq] [--runner jruby|mri|fork]
                              [--lease SECONDS] [--sweep SECONDS] [--minutes N] [--times N]
                              [--seed S] [--report FILE]
                   .ci/faults table FILE [DOCUMENT]
            Prints a row for each scenario, and adds it to the file of --report. Ends with 1 when a
            promise was broken, with 2 when it is told what it does not know. table prints the rows
            of such a file in Markdown, or puts them into a document in place of those it has.\
            """;

    private final Catalogue catalogue = new Catalogue();
    private final List<Scenario> chosen = new ArrayList<>();
    private String runner = "";
    private boolean isSidekiq;
    private double lease = 3;
    private double sweep = 1;
    private double minutes;
    private int times = 1;
    private @Nullable Path report;
    private long seed = System.nanoTime() & 0xffff;

    private Main() {}

    /// A command line that cannot be followed.
    private static final class WrongUse extends Exception {
        private static final long serialVersionUID = 1L;

        WrongUse(String message) {
            super(message);
        }
    }

    public static void main(String[] arguments) throws IOException {
        try {
            System.exit(new Main().run(List.of(arguments)));
        } catch (WrongUse e) {
            System.err.println("faults: " + e.getMessage());
            System.exit(2);
        }
    }

    private int run(List<String> arguments) throws IOException, WrongUse {
        if (arguments.equals(List.of("list"))) {
            list();
            return 0;
        }
        if (!arguments.isEmpty() && arguments.getFirst().equals("table")) {
            table(arguments);
            return 0;
        }
        read(arguments);
        if (chosen.isEmpty()) {
            throw new WrongUse("no number\n" + USAGE);
        }
        System.err.println("seed " + seed);
        if (report != null) {
            Report.begin(report, seed);
        }
        boolean isKept = true;
        for (Scenario scenario : chosen) {
            isKept &= show(scenario);
        }
        return isKept || isSidekiq ? 0 : 1;
    }

    private static void table(List<String> arguments) throws IOException, WrongUse {
        switch (arguments.size()) {
            case 2 -> System.out.print(Report.table(from(arguments.get(1))));
            case 3 -> Report.into(from(arguments.get(2)), from(arguments.get(1)));
            default -> throw new WrongUse("table wants a file of rows\n" + USAGE);
        }
    }

    /// Relative paths begin where the command was called.
    private static Path from(String path) {
        return Path.of(System.getProperty("faults.folder", "")).resolve(path);
    }

    private boolean show(Scenario scenario) throws IOException {
        List<Run> runs = new ArrayList<>();
        for (int time = 0; time < times; time++) {
            runs.add(run(scenario, seed + time));
        }
        Row row = Row.of(runs);
        System.out.println(row.line());
        System.out.flush();
        if (report != null) {
            Report.add(report, row);
        }
        return row.isKept();
    }

    private Run run(Scenario scenario, long ownSeed) throws IOException {
        Path folder = Files.createTempDirectory("mawashi-faults-");
        String by = runner.isEmpty() ? scenario.runner() : runner;
        Run run =
                Run.of(
                        scenario,
                        new Rig.Settings(by, isSidekiq, ownSeed, lease, sweep, minutes, PATIENCE),
                        folder);
        System.err.printf("%s took %d s%n", scenario.number(), run.took().toSeconds());
        if (run.broken().isEmpty() || isSidekiq) {
            try (Stream<Path> files = Files.walk(folder)) {
                files.sorted((a, b) -> b.compareTo(a)).forEach(file -> file.toFile().delete());
            }
        } else {
            Files.writeString(folder.resolve("logs"), run.logs());
            System.err.println("ledger, logs and Redis's files are in " + folder);
        }
        return run;
    }

    private void list() {
        for (Catalogue.Entry entry : catalogue.entries().values()) {
            String state =
                    entry.scenarios().isEmpty()
                            ? "-  " + entry.instead()
                            : "implemented"
                                    + (entry.scenarios().stream().anyMatch(Scenario::isQuick)
                                            ? ", in each check"
                                            : "");
            System.out.printf("%s  %-60s  %s%n", entry.number(), entry.what(), state);
        }
    }

    private void read(List<String> arguments) throws WrongUse {
        for (int i = 0; i < arguments.size(); i++) {
            String word = arguments.get(i);
            if (!word.startsWith("--")) {
                choose(word);
                continue;
            }
            if (i + 1 == arguments.size()) {
                throw new WrongUse(word + " wants a value\n" + USAGE);
            }
            set(word, arguments.get(++i));
        }
        leaveOut(one -> one.isPossible(), "wants a program that is not on PATH");
        leaveOut(one -> !isSidekiq || one.isForSidekiq(), "not for Sidekiq");
        leaveOut(
                one -> runner.isEmpty() || one.runners().contains(runner),
                "says nothing of the runner " + runner);
        if (isSidekiq || !runner.isEmpty()) {
            // The same fault on two runners is one without them.
            Set<String> seen = new HashSet<>();
            chosen.removeIf(s -> !seen.add(s.number() + s.what()));
        }
    }

    private void leaveOut(Predicate<Scenario> wanted, String why) {
        for (Scenario one : List.copyOf(chosen)) {
            if (!wanted.test(one)) {
                System.err.printf("left out: %s, %s: %s%n", one.number(), one.what(), why);
                chosen.remove(one);
            }
        }
    }

    private void choose(String word) throws WrongUse {
        if (word.equals("all") || word.equals("quick")) {
            Catalogue.scenarios().stream()
                    .filter(scenario -> word.equals("all") || scenario.isQuick())
                    .forEach(chosen::add);
            return;
        }
        Catalogue.Entry entry = catalogue.entries().get(word);
        if (entry == null) {
            throw new WrongUse("no fault has the number " + word + " (.ci/faults list names all)");
        }
        if (entry.scenarios().isEmpty()) {
            throw new WrongUse(word + " has no scenario: " + entry.instead());
        }
        chosen.addAll(entry.scenarios());
    }

    private void set(String flag, String value) throws WrongUse {
        try {
            switch (flag) {
                case "--peer" ->
                        isSidekiq = known(flag, value, Set.of("sidekiq")).equals("sidekiq");
                case "--runner" -> runner = known(flag, value, RUNNERS);
                case "--lease" -> lease = Double.parseDouble(value);
                case "--sweep" -> sweep = Double.parseDouble(value);
                case "--minutes" -> minutes = Double.parseDouble(value);
                case "--times" -> times = Math.max(1, Integer.parseInt(value));
                case "--report" -> report = from(value);
                case "--seed" -> seed = Long.parseLong(value);
                default -> throw new WrongUse("unknown flag " + flag + "\n" + USAGE);
            }
        } catch (NumberFormatException _) {
            throw new WrongUse(flag + " " + value + " is no number");
        }
    }

    private static String known(String flag, String value, Set<String> all) throws WrongUse {
        if (!all.contains(value)) {
            throw new WrongUse(
                    flag + " " + value + " is unknown, known: " + String.join(", ", all));
        }
        return value;
    }
}
