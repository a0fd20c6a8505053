package dev.mawashi.bench.rig;

import dev.mawashi.embedded.SearchPath;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/// Other programs on this machine.
public final class Programs {
    private static final long ANSWER_SECONDS_MAX = 20;
    private static final int ANSWER_BYTES_MAX = 4_096;

    private Programs() {}

    public static Optional<Path> find(String name) {
        return SearchPath.of(System.getenv().getOrDefault("PATH", "")).first(name);
    }

    /// What a program prints first, such as its version; `unknown` when it does not run.
    public static String firstLine(String... command) {
        try {
            Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getOutputStream().close();
            if (!process.waitFor(ANSWER_SECONDS_MAX, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return "unknown";
            }
            byte[] answer = process.getInputStream().readNBytes(ANSWER_BYTES_MAX);
            return new String(answer, StandardCharsets.UTF_8)
                    .lines()
                    .findFirst()
                    .orElse("unknown")
                    .strip();
        } catch (IOException _) {
            return "unknown"; // An unknown version spoils no measurement.
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return "unknown";
        }
    }

    /// Runs a program to its end; it ends with this process.
    ///
    /// @return what it printed
    /// @throws BenchFailure when it cannot be started, or fails
    static String output(List<String> words) throws InterruptedException {
        return output(words, Map.of());
    }

    /// The same with these variables more in its environment.
    static String output(List<String> words, Map<String, String> variables)
            throws InterruptedException {
        List<String> command = new ArrayList<>(tether());
        command.addAll(words);
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(variables);
        try {
            Process process = builder.start();
            process.getOutputStream().close();
            byte[] bytes = process.getInputStream().readAllBytes();
            String printed = new String(bytes, StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new BenchFailure(words.getFirst() + " failed: " + printed.strip());
            }
            return printed;
        } catch (IOException e) {
            throw new BenchFailure("cannot run " + words.getFirst() + ": " + e.getMessage(), e);
        }
    }

    /// Ends a process as an operator would, and kills it when that takes too long.
    static void end(Process process, Duration patience) {
        process.destroy();
        try {
            if (!process.waitFor(patience)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException _) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    /// The `ruby` on PATH, such as `ruby 3.1.2p20`.
    public static String ruby() {
        return firstLine("ruby", "--version").split(" \\(", 2)[0];
    }

    /// Whether that `ruby` has the compiler YJIT.
    public static boolean hasYjit() {
        return firstLine("ruby", "--yjit", "-e", "p RubyVM::YJIT.enabled?").equals("true");
    }

    /// Where that `ruby` looks for gems, as GEM_PATH has it.
    public static String gemPath() {
        return firstLine("ruby", "-e", "puts Gem.path.join(':')");
    }

    /// The version of the Resque that `ruby` finds, among its gems or in RUBYLIB; empty when it
    /// finds none.
    public static Optional<String> resque() {
        String answer = firstLine("ruby", "-e", "require 'resque/version'; puts Resque::VERSION");
        return Optional.of(answer).filter(line -> line.matches("\\d+\\.[\\w.]+"));
    }

    /// Whether that `ruby` finds this gem, among its gems or in RUBYLIB.
    public static boolean hasGem(String name) {
        return firstLine("ruby", "-W0", "-e", "require '%s'; puts :yes".formatted(name))
                .equals("yes");
    }

    /// Words before a command that end it with this process; none where they are not known.
    static List<String> tether() {
        return find("setpriv")
                .filter(_ -> System.getProperty("os.name").equals("Linux"))
                .map(setpriv -> List.of(setpriv.toString(), "--pdeathsig", "KILL"))
                .orElse(List.of());
    }
}
