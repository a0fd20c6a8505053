package dev.mawashi.wire;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The parts of one job that are hidden, taken out of the JSON that people are shown of it.
public final class Hiding {
    static final Hiding NOTHING = new Hiding(List.of(), Set.of(), false, Redaction.MARK);

    /// Where ActiveJob's wrapper has the job's own arguments.
    private static final String INNER = "arguments";

    /// Fields that repeat arguments, of gems that look for jobs that are there already.
    private static final Set<String> COPIES = Set.of("unique_args", "lock_args");

    /// Fields that say which job it is; a pattern for keys does not take them.
    private static final Set<String> NAMES = Set.of("class", "wrapped", "jid", "queue");

    private final List<Wildcard> keys;
    private final Set<Integer> positions;
    private final boolean isAll;
    private final String mark;
    private final Map<String, Boolean> known = new HashMap<>();

    Hiding(List<String> keys, Set<Integer> positions, boolean isAll, String mark) {
        this.keys = keys.stream().map(Wildcard::new).toList();
        this.positions = Set.copyOf(positions);
        this.isAll = isAll;
        this.mark = Json.quote(mark);
    }

    public boolean isNothing() {
        return keys.isEmpty() && positions.isEmpty() && !isAll;
    }

    /// The arguments as they are shown.
    ///
    /// @param args a JSON array, or what stands in its place: then it is hidden
    public String args(String args) {
        if (isNothing()) {
            return args;
        }
        try {
            return isAll ? hidden() : rewritten(args, this::writeArgs);
        } catch (MalformedPayload _) {
            return hidden();
        }
    }

    private String hidden() {
        return "[" + mark + "]";
    }

    /// A payload as it is shown.
    ///
    /// @param payload bytes that may be anything; what is no JSON object is hidden
    public String payload(byte[] payload) {
        String text = new String(payload, StandardCharsets.UTF_8);
        if (isNothing()) {
            return text;
        }
        try {
            return rewritten(text, writer -> writer.object(this::writeField));
        } catch (MalformedPayload _) {
            return mark;
        }
    }

    private void writeField(String name, JsonWriter writer) {
        boolean hidesWhole = isAll || !positions.isEmpty();
        if (name.equals("args")) {
            if (isAll) {
                writer.replace(hidden());
            } else {
                writeArgs(writer);
            }
        } else if (COPIES.contains(name) && hidesWhole) {
            writer.replace(mark);
        } else if (NAMES.contains(name)) {
            writer.copy();
        } else {
            writeKeyed(name, writer);
        }
    }

    private void writeArgs(JsonWriter writer) {
        if (!writer.isArray()) {
            writer.replace(hidden());
            return;
        }
        writer.array((place, element) -> {
            if (positions.contains(place)) {
                element.replace(mark);
            } else if (!positions.isEmpty() && element.isObject()) {
                // Within a wrapper nobody counts the places.
                element.object((name, inner) -> {
                    if (name.equals(INNER)) {
                        inner.replace(hidden());
                    } else {
                        writeKeyed(name, inner);
                    }
                });
            } else {
                writeValue(element);
            }
        });
    }

    private void writeKeyed(String name, JsonWriter writer) {
        if (isHidden(name)) {
            writer.replace(mark);
        } else {
            writeValue(writer);
        }
    }

    private void writeValue(JsonWriter writer) {
        if (writer.isObject()) {
            writer.object(this::writeKeyed);
        } else if (writer.isArray()) {
            writer.array((_, element) -> writeValue(element));
        } else {
            writer.copy();
        }
    }

    private boolean isHidden(String key) {
        return known.computeIfAbsent(
                key, name -> keys.stream().anyMatch(pattern -> pattern.matches(name)));
    }

    private interface Writing {
        void write(JsonWriter writer);
    }

    private static String rewritten(String json, Writing writing) {
        JsonWriter writer = new JsonWriter(json.getBytes(StandardCharsets.UTF_8));
        writing.write(writer);
        return writer.end();
    }
}
