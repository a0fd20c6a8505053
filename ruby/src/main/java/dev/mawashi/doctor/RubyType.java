package dev.mawashi.doctor;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A class or module as one file opens it.
final class RubyType {
    final String name;
    final String file;
    final int line;
    final String superclass;
    final boolean isClass;

    /// Modules that it includes, prepends or extends, as they are written.
    final List<String> modules = new ArrayList<>();

    /// Names of its methods; those of the class itself with `self.` before them.
    final List<String> methods = new ArrayList<>();

    @Nullable String queue;

    /// Whether it sets `@queue`, as Resque's job classes do.
    boolean hasResqueQueue;

    RubyType(String name, String superclass, boolean isClass, String file, int line) {
        this.name = name;
        this.superclass = superclass;
        this.isClass = isClass;
        this.file = file;
        this.line = line;
    }

    /// The names that a constant written in it may stand for, the innermost first.
    List<String> candidates(String written) {
        List<String> names = new ArrayList<>();
        String scope = name;
        while (!scope.isEmpty()) {
            names.add(scope + "::" + written);
            int end = scope.lastIndexOf("::");
            scope = end < 0 ? "" : scope.substring(0, end);
        }
        names.add(written);
        return names;
    }
}
