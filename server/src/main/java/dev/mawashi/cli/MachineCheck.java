package dev.mawashi.cli;

import dev.mawashi.wire.JsonFields;
import java.util.Locale;

/// The result of a look at a part of the surroundings of a server.
///
/// @param name a word or two
/// @param text what was found
/// @param remedy "" where nothing is to be done
record MachineCheck(String name, Grade grade, String text, String remedy) {
    /// The weight that it has for a server.
    enum Grade {
        OK,
        WARNING,
        /// A server would not start, or lose jobs.
        ERROR
    }

    static MachineCheck ok(String name, String text) {
        return new MachineCheck(name, Grade.OK, text, "");
    }

    static MachineCheck warning(String name, String text, String remedy) {
        return new MachineCheck(name, Grade.WARNING, text, remedy);
    }

    static MachineCheck error(String name, String text, String remedy) {
        return new MachineCheck(name, Grade.ERROR, text, remedy);
    }

    boolean isError() {
        return grade == Grade.ERROR;
    }

    String word() {
        return grade.name().toLowerCase(Locale.ROOT);
    }

    String json() {
        return new JsonFields()
                .text("check", name)
                .text("grade", word())
                .text("text", text)
                .known("remedy", remedy)
                .toString();
    }
}
