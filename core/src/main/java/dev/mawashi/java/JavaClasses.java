package dev.mawashi.java;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// The job classes found so far, by name. Only what is on the class path is kept, so that payloads
/// with made-up names take no memory.
final class JavaClasses {
    private static final int NAME_CHARS_MAX = 1_000;

    private final JobClassPath path;
    private final JobClassLoader loader;
    private final Map<String, JavaClass> known = new ConcurrentHashMap<>();

    JavaClasses(JobClassPath path, JobClassLoader loader) {
        this.path = path;
        this.loader = loader;
    }

    /// Finds a job class; none of its code runs.
    ///
    /// @param name what the payload says; null when that is no text
    /// @throws Refusal when there is no such job class
    /// @throws LinkageError when it, or what it needs, cannot be loaded
    JavaClass find(@Nullable String name) {
        if (name == null || name.isEmpty()) {
            throw Refusal.noClass(
                    "the payload names no job class: \"class\" is missing, empty or not a string");
        }
        JavaClass found = known.get(name);
        if (found == null) {
            found = JavaClass.of(load(name));
            known.put(name, found);
        }
        return found;
    }

    private Class<?> load(String name) {
        if (!isBinaryName(name)) {
            throw Refusal.noClass(
                    "\"%s\" is no name of a Java class, such as com.acme.DailyReport"
                            .formatted(name.substring(0, Math.min(name.length(), 100))));
        }
        try {
            Class<?> found = loader.classOnPath(name);
            if (found != null) {
                return found;
            }
        } catch (ClassNotFoundException _) {
            // As if it had not been there: it left the class path meanwhile.
        }
        throw Refusal.noClass(
                "there is no class %s on the class path %s (set it with --java-classpath)"
                        .formatted(name, path.text()));
    }

    /// Identifiers with dots between them; a nested class's has a `$`.
    static boolean isBinaryName(String name) {
        boolean startsPart = true;
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (startsPart ? !Character.isJavaIdentifierStart(c) : c != '.' && !isPart(c)) {
                return false;
            }
            startsPart = c == '.';
        }
        return !startsPart && name.length() <= NAME_CHARS_MAX;
    }

    private static boolean isPart(char c) {
        return Character.isJavaIdentifierPart(c) && !Character.isIdentifierIgnorable(c);
    }
}
