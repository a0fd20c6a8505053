package dev.mawashi.java;

import org.jspecify.annotations.Nullable;

/// Takes one JSON value as a value of one Java type.
@FunctionalInterface
interface ValueReader {

    /// @throws Mismatch when it is of another type
    /// @throws Throwable what the constructor of an app's record throws
    @Nullable Object read(JsonInput json) throws Throwable;

    /// The same, with null for `null`.
    default ValueReader orNull() {
        return json -> json.takeNull() ? null : read(json);
    }
}
