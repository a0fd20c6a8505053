package dev.mawashi.java;

import java.lang.invoke.MethodHandle;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Reads a JSON object as one of the app's records: a field for each component, by name.
///
/// A field that is not there is null, which a primitive component does not take. A field that the
/// record does not have is a mismatch, since it is as likely a slip as something to be left out.
final class RecordReader implements ValueReader {
    private final String name;
    private final MethodHandle constructor;
    private final Map<String, Component> components = new HashMap<>();

    private record Component(int index, boolean isPrimitive, ValueReader reader) {}

    /// @param constructor takes the components as an `Object[]`
    RecordReader(String name, MethodHandle constructor) {
        this.name = name;
        this.constructor = constructor;
    }

    /// Adds the next component. They come after the record's own reader is made, since a record may
    /// hold others of its kind.
    void add(String component, boolean isPrimitive, ValueReader reader) {
        components.put(component, new Component(components.size(), isPrimitive, reader));
    }

    @Override
    public @Nullable Object read(JsonInput json) throws Throwable {
        if (json.takeNull()) {
            return null;
        }
        if (json.kind() != '{') {
            throw json.mismatch("must be an object, for the record " + name);
        }
        @Nullable Object[] values = new @Nullable Object[components.size()];
        if (json.enter('{', '}')) {
            do {
                readField(json, values);
            } while (json.more('}'));
        }
        components.forEach((field, component) -> {
            if (component.isPrimitive() && values[component.index()] == null) {
                throw new Mismatch("has no field \"" + field + "\", which " + name + " needs");
            }
        });
        return (Object) constructor.invokeExact(values);
    }

    private void readField(JsonInput json, @Nullable Object[] values) throws Throwable {
        String field = json.takeKey();
        Component component = components.get(field);
        if (component == null) {
            throw new Mismatch("has the field \"" + field + "\", which " + name + " has not");
        }
        try {
            values[component.index()] = component.reader().read(json);
        } catch (Mismatch mismatch) {
            throw mismatch.within("field \"" + field + "\"");
        }
    }
}
