package dev.mawashi.config;

import java.util.HashMap;
import java.util.Map;

/// The places that settings came from, by their keys: a flag, a variable, a place in a file. It
/// goes with the settings as they are made and joined, so that nobody has to find it out a second
/// time. A key that is missing was not given.
///
/// Settings are equal wherever they came from, so all origins are.
public final class Origins {
    public static final Origins NONE = new Origins(Map.of());

    private final Map<String, String> places;

    private Origins(Map<String, String> places) {
        this.places = Map.copyOf(places);
    }

    /// @param places by keys
    public static Origins of(Map<String, String> places) {
        return new Origins(places);
    }

    /// This, with the others' places for keys that have none here.
    public Origins over(Origins others) {
        Map<String, String> joined = new HashMap<>(others.places);
        joined.putAll(places);
        return new Origins(joined);
    }

    /// The same with this place for a key; "" for none.
    Origins with(String key, String place) {
        Map<String, String> changed = new HashMap<>(places);
        if (place.isEmpty()) {
            changed.remove(key);
        } else {
            changed.put(key, place);
        }
        return new Origins(changed);
    }

    /// The place of a key's value, or `otherwise` when it was not given.
    public String place(String key, String otherwise) {
        return places.getOrDefault(key, otherwise);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Origins;
    }

    @Override
    public int hashCode() {
        return 0;
    }

    @Override
    public String toString() {
        return places.toString();
    }
}
