package dev.mawashi.doctor;

import dev.mawashi.wire.JsonFields;
import java.util.Locale;

/// A thing that keeps an app from loading on JRuby.
///
/// @param name what was required or loaded; "" where that is not known
/// @param place the file and line; ""
/// @param reason what happened
public record BootFault(Kind kind, String name, String place, String reason, String remedy) {
    /// The ways in which a boot fails.
    public enum Kind {
        /// There is no such file or gem.
        MISSING,
        /// A gem lacks a part of its own, such as one in C.
        INCOMPLETE,
        /// The server itself does not take the app or its settings.
        REFUSED,
        /// Code raises while it is loaded.
        RAISED,
        /// The app ends the process.
        EXIT,
        /// The boot does not end.
        HANG
    }

    /// One line.
    public String describe() {
        boolean isNamed = name.isEmpty() || place.startsWith(name + ":");
        return (place.isEmpty() ? "" : place + ": ") + (isNamed ? "" : name + ": ") + reason;
    }

    public String json() {
        return new JsonFields()
                .text("kind", kind.name().toLowerCase(Locale.ROOT))
                .known("name", name)
                .known("place", place)
                .text("reason", reason)
                .text("remedy", remedy)
                .toString();
    }
}
