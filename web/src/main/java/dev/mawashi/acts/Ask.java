package dev.mawashi.acts;

import dev.mawashi.http.Call;
import dev.mawashi.http.Role;
import dev.mawashi.operate.Author;
import java.util.Locale;

/// A request for a change.
record Ask(Call call, PostedFields fields) {
    Author author() {
        String role = call.role().name().toLowerCase(Locale.ROOT);
        return new Author(call.who(), role, call.address());
    }

    /// What stands in the path in place of a name.
    String inPath(String name) {
        return call.path().getOrDefault(name, "");
    }

    /// @throws Refusal when the caller has not this role
    void require(Role role) {
        if (!call.role().may(role)) {
            throw new ActRefusal(403, "this needs the role " + role);
        }
    }

    /// Has a person who uses the page say that they are sure. A program is.
    ///
    /// @throws Unsure to be answered with the question
    void confirm(String question, String note) {
        if (fields.isForm() && !fields.one("sure").equals("yes")) {
            throw new Unsure(question, note);
        }
    }
}
