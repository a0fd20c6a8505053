package dev.mawashi.faults;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/// All numbered faults: what each is, and either its scenarios or where else it is tested, or why
/// not.
final class Catalogue {
    private static final String FILE = "catalogue.txt";
    private static final String INPUTS = "inputs.txt";

    private final Map<String, Entry> entries = new LinkedHashMap<>();

    /// @param instead of a scenario: the test that has it, or the reason why there is none; empty
    ///   where there is one
    record Entry(String number, String what, String instead, List<Scenario> scenarios) {}

    Catalogue() {
        Map<String, List<Scenario>> byNumber = new LinkedHashMap<>();
        scenarios()
                .forEach(scenario ->
                        byNumber.computeIfAbsent(scenario.number(), _ -> new ArrayList<>())
                                .add(scenario));
        for (String line : lines(FILE, "F")) {
            String[] cells = line.split("\\|", -1);
            String number = cells[0].strip();
            List<Scenario> own = byNumber.getOrDefault(number, List.of());
            entries.put(number, new Entry(number, cells[1].strip(), cells[2].strip(), own));
        }
        if (!entries.keySet().containsAll(byNumber.keySet())) {
            throw new IllegalStateException("not in the catalogue: " + byNumber.keySet());
        }
    }

    static List<Scenario> scenarios() {
        return Stream.of(
                        KilledServers.all(),
                        OddServers.all(),
                        Crowd.all(),
                        KilledChildren.all(),
                        BrokenRedis.all(),
                        BrokenFiles.all(),
                        PastRedis.all(),
                        ElectedRedis.all(),
                        ClusteredRedis.all(),
                        RefusingRedis.all(),
                        WrongKeys.all(),
                        BrokenLink.all())
                .flatMap(List::stream)
                .toList();
    }

    /// All numbered bad inputs, with the tests that try them, or the reason why none does.
    static Map<String, String> inputs() {
        Map<String, String> inputs = new LinkedHashMap<>();
        for (String line : lines(INPUTS, "B")) {
            String[] cells = line.split("\\|", -1);
            inputs.put(cells[0].strip(), cells[cells.length - 1].strip());
        }
        return inputs;
    }

    private static List<String> lines(String name, String first) {
        try (InputStream file = Catalogue.class.getResourceAsStream(name)) {
            return new String(Objects.requireNonNull(file, name).readAllBytes(), UTF_8)
                    .lines()
                    .filter(line -> line.startsWith(first))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Map<String, Entry> entries() {
        return entries;
    }
}
