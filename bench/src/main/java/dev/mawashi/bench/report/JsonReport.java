package dev.mawashi.bench.report;

import dev.mawashi.bench.rig.Contestant;
import dev.mawashi.bench.rig.Machine;
import dev.mawashi.bench.rig.Run;
import dev.mawashi.wire.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// Figures as a JSON object with those of every run (bench/README.md, "JSON").
public final class JsonReport {
    private JsonReport() {}

    public static Map<String, Object> of(Figures figures) {
        Machine machine = Machine.here();
        Map<String, Object> place =
                ordered(
                        "cores", machine.cores(),
                        "processor", machine.processor(),
                        "system", machine.system(),
                        "jdk", machine.jdk(),
                        "mawashi", machine.mawashi(),
                        "jruby", machine.jruby(),
                        "redis", figures.redis.isEmpty() ? "none" : figures.redis);
        Map<String, Object> all = ordered("bench", figures.bench, "machine", place);
        all.putAll(figures.facts);
        all.put("notes", figures.notes);
        return all;
    }

    /// A contestant with its runs.
    public static Map<String, Object> fields(Result result) {
        Contestant one = result.contestant();
        return ordered(
                "name", one.name(),
                "description", one.description(),
                "command", one.command(),
                "processes", one.processes(),
                "jobs", one.jobs(),
                "runs", result.runs().stream().map(Run::fields).toList());
    }

    /// An object with these fields in this order.
    ///
    /// @param namesAndValues by turns
    public static Map<String, Object> ordered(Object... namesAndValues) {
        Map<String, Object> fields = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            fields.put((String) namesAndValues[i], namesAndValues[i + 1]);
        }
        return fields;
    }

    /// A value of maps, lists, strings and numbers.
    public static String text(Object value) {
        return switch (value) {
            case String text -> Json.quote(text);
            case Map<?, ?> fields -> {
                List<String> pairs = new ArrayList<>();
                fields.forEach((name, field) -> pairs.add(text(name) + ":" + text(field)));
                yield "{" + String.join(",", pairs) + "}";
            }
            case List<?> values ->
                    values.stream()
                            .map(JsonReport::text)
                            .collect(Collectors.joining(",", "[", "]"));
            case Number number -> number.toString();
            default -> throw new IllegalArgumentException("no JSON for " + value.getClass());
        };
    }
}
