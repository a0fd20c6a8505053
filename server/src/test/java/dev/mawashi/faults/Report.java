package dev.mawashi.faults;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A file of rows that commands add to, and the table that is made of it.
final class Report {
    static final String BEGIN = "<!-- rows: made by .ci/faults table -->";
    static final String END = "<!-- end of rows -->";
    private static final Pattern VERSION = Pattern.compile("\\d+\\.\\d+(\\.\\d+)?");
    private static final String HEAD =
            """
            | no. | what | runner | lease + sweep | jobs | lost | duplicated | overlapping | recovered | recovery | verdict | Sidekiq: jobs | lost | duplicated |
            |---|---|---|---|---:|---:|---:|---:|---:|---|---|---:|---:|---:|
            """;

    private Report() {}

    /// Notes where the rows that come next were measured.
    static void begin(Path file, long seed) throws IOException {
        double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        String versions =
                "Redis %s, JDK %d, MRI %s, sidekiq %s"
                        .formatted(
                                version("redis-server", "--version"),
                                Runtime.version().feature(),
                                version("ruby", "--version"),
                                version("sidekiq", "--version"));
        append(
                file,
                String.format(
                        Locale.ROOT,
                        "# %s, %d cores, load %.0f at the start, %s, --seed %d",
                        LocalDate.now(),
                        Runtime.getRuntime().availableProcessors(),
                        Math.max(0, load),
                        versions,
                        seed));
    }

    private static String version(String... command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String text = new String(process.getInputStream().readAllBytes(), UTF_8);
        Matcher found = VERSION.matcher(text);
        return found.find() ? found.group() : "?";
    }

    static void add(Path file, Row row) throws IOException {
        append(file, row.text());
    }

    private static void append(Path file, String line) throws IOException {
        Files.writeString(file, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    /// Markdown: a row for each scenario and runner, with Sidekiq's counts beside it.
    static String table(Path file) throws IOException {
        Set<String> machines = new LinkedHashSet<>();
        Map<String, Row> rows = new LinkedHashMap<>();
        for (String line : Files.readAllLines(file)) {
            if (line.startsWith("#")) {
                machines.add(line.substring(1).strip());
            } else if (!line.isBlank()) {
                Row row = Row.parse(line);
                rows.put(row.key(), row);
            }
        }
        return "Measured:\n\n"
                + machines.stream().map("- %s\n"::formatted).collect(Collectors.joining())
                + "\n"
                + HEAD
                + String.join("", lines(rows.values().stream().toList()));
    }

    private static List<String> lines(List<Row> rows) {
        Map<String, Row> peers = new LinkedHashMap<>();
        Map<String, List<Row>> byNumber = new TreeMap<>();
        for (Row row : rows) {
            if (row.isSidekiq()) {
                peers.put(row.number() + row.what(), row);
            }
            byNumber.computeIfAbsent(row.number(), _ -> new ArrayList<>()).add(row);
        }
        List<String> lines = new ArrayList<>();
        Set<Row> shown = new LinkedHashSet<>();
        for (List<Row> of : byNumber.values()) {
            for (Row row : of) {
                Row peer = peers.get(row.number() + row.what());
                if (!row.isSidekiq()) {
                    lines.add(own(row) + beside(peer));
                    shown.add(peer == null ? row : peer);
                }
            }
            for (Row row : of) {
                if (row.isSidekiq() && !shown.contains(row)) {
                    lines.add(
                            "| %s | %s | | | | | | | | | |".formatted(row.number(), row.what())
                                    + beside(row));
                }
            }
        }
        return lines;
    }

    private static String own(Row row) {
        return "| %s | %s | %s | %s | %d | %d | %d of %d | %d | %d | %s | %s |"
                .formatted(
                        row.number(),
                        row.what(),
                        row.by(),
                        row.leaseAndSweep(),
                        row.jobs(),
                        row.lost(),
                        row.duplicated(),
                        row.duplicatedMax(),
                        row.overlapping(),
                        row.recovered(),
                        row.recovery(),
                        row.verdict());
    }

    private static String beside(@Nullable Row peer) {
        return peer == null
                ? " | | |\n"
                : " %d | %d | %d |\n".formatted(peer.jobs(), peer.lost(), peer.duplicated());
    }

    /// Puts the table of a file of rows in the place of the one that a document has.
    static void into(Path document, Path file) throws IOException {
        String text = Files.readString(document);
        int begin = text.indexOf(BEGIN);
        int end = text.indexOf(END);
        if (begin < 0 || end < begin) {
            throw new IOException(document + " has no place for rows: " + BEGIN + " ... " + END);
        }
        Files.writeString(
                document,
                text.substring(0, begin) + BEGIN + "\n" + table(file) + text.substring(end));
    }
}
