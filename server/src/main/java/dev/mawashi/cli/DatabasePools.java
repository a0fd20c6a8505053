package dev.mawashi.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Compares the pools of `config/database.yml` with the threads that want a connection. A pool is a
/// number, or Rails' own ERB: a variable with a number for its default.
final class DatabasePools {
    private static final Pattern NUMBER =
            Pattern.compile("\\s*(?:pool|max_connections):\\s*(\\d{1,6})\\s*(#.*)?");

    private static final Pattern VARIABLE =
            Pattern.compile(
                    "\\s*(?:pool|max_connections):\\s*<%=\\s*ENV(?:\\.fetch\\(|\\[)[\"'](\\w+)[\"'][)\\],]"
                            + "[^\\d%]*(\\d{1,6})?.*%>.*");

    private final Map<String, String> environment;

    DatabasePools(Map<String, String> environment) {
        this.environment = environment;
    }

    /// @param threads 0 where they are not known
    /// @return empty where there is nothing to compare
    Optional<MachineCheck> check(Path app, int threads) {
        Path file = app.resolve("config/database.yml");
        OptionalInt pool;
        try {
            if (threads == 0 || !Files.isRegularFile(file)) {
                return Optional.empty();
            }
            pool =
                    Files.readAllLines(file, ISO_8859_1).stream()
                            .map(this::pool)
                            .flatMapToInt(OptionalInt::stream)
                            .min();
        } catch (IOException e) {
            return Optional.of(
                    MachineCheck.warning(
                            "pool", "cannot read " + file + ": " + e.getMessage(), ""));
        }
        if (pool.isEmpty()) {
            return Optional.empty();
        }
        String found = pool.getAsInt() + " connections for " + threads + " threads of a process";
        return Optional.of(
                pool.getAsInt() < threads
                        ? MachineCheck.warning(
                                "pool", found, "pool in config/database.yml at least " + threads)
                        : MachineCheck.ok("pool", found));
    }

    private OptionalInt pool(String line) {
        Matcher number = NUMBER.matcher(line);
        if (number.matches()) {
            return OptionalInt.of(Integer.parseInt(number.group(1)));
        }
        Matcher variable = VARIABLE.matcher(line);
        if (!variable.matches()) {
            return OptionalInt.empty();
        }
        String value = environment.get(variable.group(1));
        String text = value == null ? variable.group(2) : value;
        return text != null && text.matches("\\d{1,6}")
                ? OptionalInt.of(Integer.parseInt(text))
                : OptionalInt.empty();
    }
}
