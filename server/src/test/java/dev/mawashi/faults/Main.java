package dev.mawashi.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// The program behind `.ci/faults`.
public final class Main {
    private static final Set<String> RUNNERS = Set.of("jruby", "mri", "fork");
    private static final String USAGE =
            """
            usage: .ci/faults list
                   .ci/faults NUMBER... | all | quick [--peer sidekiq] [--runner jruby|mri|fork]
                              [--lease SECONDS] [--sweep SECONDS] [--minutes N] [--seed S]
            Prints a row for each scenario. Ends with 1 when a promise was broken, with 2 when it is
            told what it does not know.\
            """;

    private final Catalogue catalogue = new Catalogue();
    private final List<Scenario> chosen = new ArrayList<>();
    private String runner = "";
    private boolean isSidekiq;
    private double lease = 3;
    private double sweep = 1;
    private double minutes;
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
        read(arguments);
        if (chosen.isEmpty()) {
            throw new WrongUse("no number\n" + USAGE);
        }
        System.err.println("seed " + seed);
        System.out.println(Row.HEAD);
        boolean isKept = true;
        for (Scenario scenario : chosen) {
            isKept &= show(scenario);
        }
        return isKept || isSidekiq ? 0 : 1;
    }

    private boolean show(Scenario scenario) throws IOException {
        Path folder = Files.createTempDirectory("mawashi-faults-");
        String by = runner.isEmpty() ? scenario.runner() : runner;
        Rig.Settings settings = new Rig.Settings(by, isSidekiq, seed, lease, sweep, minutes);
        Row row = Row.of(scenario, settings, folder);
        System.out.println(row.line());
        System.out.flush();
        boolean isKept = row.broken().isEmpty();
        if (isKept || isSidekiq) {
            try (Stream<Path> files = Files.walk(folder)) {
                files.sorted((a, b) -> b.compareTo(a)).forEach(file -> file.toFile().delete());
            }
        } else {
            System.err.println("ledger, logs and Redis's files are in " + folder);
        }
        return isKept;
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
        if (isSidekiq) {
            List<Scenario> never = chosen.stream().filter(s -> !s.isForSidekiq()).toList();
            chosen.removeAll(never);
            never.forEach(s -> System.err.println(s.number() + " is not for Sidekiq: " + s.what()));
        }
        if (isSidekiq || !runner.isEmpty()) {
            // The same fault on two runners is one without them.
            Set<String> seen = new HashSet<>();
            chosen.removeIf(s -> !seen.add(s.number() + s.what()));
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
