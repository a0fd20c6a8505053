package dev.mawashi.java;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Readers of JSON arrays and objects as lists and maps, which keep their order and may be changed.
final class Containers {
    private Containers() {}

    static ValueReader list(ValueReader elements) {
        ValueReader reader = json -> readList(json, elements);
        return reader.orNull();
    }

    private static Object readList(JsonInput json, ValueReader elements) throws Throwable {
        if (json.kind() != '[') {
            throw json.mismatch("must be a List");
        }
        List<@Nullable Object> list = new ArrayList<>();
        if (json.enter('[', ']')) {
            do {
                list.add(element(json, elements, list.size() + 1));
            } while (json.more(']'));
        }
        return list;
    }

    private static @Nullable Object element(JsonInput json, ValueReader elements, int number)
            throws Throwable {
        try {
            return elements.read(json);
        } catch (Mismatch mismatch) {
            throw mismatch.within("element " + number);
        }
    }

    /// A key that stands there twice counts as the last says, as for Ruby.
    static ValueReader map(ValueReader values) {
        ValueReader reader = json -> readMap(json, values);
        return reader.orNull();
    }

    private static Object readMap(JsonInput json, ValueReader values) throws Throwable {
        if (json.kind() != '{') {
            throw json.mismatch("must be a Map");
        }
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        if (json.enter('{', '}')) {
            do {
                String key = json.takeKey();
                map.put(key, value(json, values, key));
            } while (json.more('}'));
        }
        return map;
    }

    private static @Nullable Object value(JsonInput json, ValueReader values, String key)
            throws Throwable {
        try {
            return values.read(json);
        } catch (Mismatch mismatch) {
            throw mismatch.within("key \"" + key + "\"");
        }
    }
}
