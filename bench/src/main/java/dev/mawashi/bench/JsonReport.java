package dev.mawashi.bench;

import dev.mawashi.wire.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// Results as one JSON object with all raw figures (bench/README.md, "JSON").
final class JsonReport {
    private final Results results;

    JsonReport(Results results) {
        this.results = results;
    }

    String text() {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("bench", results.bench());
        all.put("machine", fields(results.machine(), results.redis()));
        all.put("contestants", results.runs().keySet().stream().map(this::contestant).toList());
        results.peer().ifPresent(peer -> all.put("peer", peer.name()));
        all.put("redis_lmove_per_second", results.limit());
        all.put("notes", results.notes());
        return json(all);
    }

    /// What a benchmark ran on.
    static Map<String, Object> fields(Machine machine, String redis) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("cores", machine.cores());
        fields.put("processor", machine.processor());
        fields.put("system", machine.system());
        fields.put("jdk", machine.jdk());
        fields.put("mawashi", machine.mawashi());
        fields.put("jruby", machine.jruby());
        fields.put("redis", redis);
        return fields;
    }

    /// What a contestant is.
    static Map<String, Object> fields(Contestant one) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("name", one.name());
        fields.put("description", one.description());
        fields.put("command", one.command());
        fields.put("processes", one.processes());
        fields.put("jobs", one.jobs());
        return fields;
    }

    private Map<String, Object> contestant(Contestant one) {
        Map<String, Object> fields = fields(one);
        fields.put("runs", results.runsOf(one).stream().map(JsonReport::run).toList());
        results.peer()
                .filter(_ -> Results.isOurs(one))
                .ifPresent(peer -> {
                    fields.put("times_peer", results.ratios(one, peer));
                    fields.put("times_peer_median", results.ratioOfMedians(one, peer));
                });
        return fields;
    }

    private static Map<String, Object> run(Figures run) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("start_seconds", run.startSeconds());
        fields.put("work_seconds", run.workSeconds());
        fields.put("second_half_seconds", run.lateSeconds());
        fields.put("jobs_per_second", run.totalRate());
        fields.put("jobs_per_second_working", run.workRate());
        fields.put("jobs_per_second_second_half", run.lateRate());
        fields.put("cpu_seconds", run.usage().cpuSeconds());
        fields.put("redis_cpu_seconds", run.usage().redisCpuSeconds());
        fields.put("peak_bytes", run.usage().peakBytes());
        fields.put("allocated_bytes", run.usage().allocatedBytes());
        fields.putAll(course(run));
        return fields;
    }

    /// What happened over the time of a run.
    static Map<String, Object> course(Figures run) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("curve_step_ms", Figures.CURVE_STEP_MS);
        fields.put("curve_jobs", run.curve());
        fields.put("cores_seconds", run.usage().cores().seconds());
        fields.put("cores_busy", run.usage().cores().busy());
        return fields;
    }

    /// A value of maps, lists, strings and numbers as JSON.
    static String json(Object value) {
        return switch (value) {
            case String text -> Json.quote(text);
            case Map<?, ?> fields -> {
                List<String> pairs = new ArrayList<>();
                fields.forEach((name, field) -> pairs.add(json(name) + ":" + json(field)));
                yield "{" + String.join(",", pairs) + "}";
            }
            case List<?> values ->
                    values.stream()
                            .map(JsonReport::json)
                            .collect(Collectors.joining(",", "[", "]"));
            case Number number -> number.toString();
            default -> throw new IllegalArgumentException("no JSON for " + value.getClass());
        };
    }
}
