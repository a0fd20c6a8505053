package dev.mawashi.server;

import dev.mawashi.children.ChildFailure;
import dev.mawashi.children.Home;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The folder of the app under the name that it was given, perhaps a link to the newest of several
/// releases. A process's own folder is the one that the link led to when it was started; a new
/// generation begins where the link leads by then.
final class Release {
    /// Prefixes of the variables in which Bundler and RubyGems name files of a release.
    private static final String[] NAMING = {"BUNDLE_", "BUNDLER_", "RUBY", "GEM_"};

    private final Path given;
    private final @Nullable Path first;
    private final Map<String, String> environment;

    private Release(Path given, @Nullable Path first, Map<String, String> environment) {
        this.given = given;
        this.first = first;
        this.environment = environment;
    }

    /// @param require the value of `-r`: named by it, the folder counts as given; else `PWD` names
    ///   it, as shells do
    /// @param here the process's own folder
    static Release of(Map<String, String> environment, @Nullable String require, Path here) {
        Path first = real(here.toAbsolutePath()).orElse(null);
        String shell = environment.get("PWD");
        if (first != null && require != null && isNameOf(first, require)) {
            return new Release(Path.of(require), first, environment);
        }
        if (first != null && shell != null && isNameOf(first, shell)) {
            return new Release(Path.of(shell), first, environment);
        }
        return new Release(here, first, environment);
    }

    private static boolean isNameOf(Path folder, String name) {
        try {
            return Path.of(name).isAbsolute()
                    && Files.isDirectory(Path.of(name))
                    && Files.isSameFile(Path.of(name), folder);
        } catch (IOException | InvalidPathException _) {
            return false;
        }
    }

    /// The folder that the name leads to now, null where that is the process's own, with an
    /// environment that names no other release.
    ///
    /// @throws ChildFailure when there is none
    Home home() {
        if (first == null) {
            // This user may not look it up: there is nothing to follow.
            return new Home(null, environment);
        }
        Path now =
                real(given)
                        .orElseThrow(() ->
                                new ChildFailure("the app's folder " + given + " is not there"));
        if (now.equals(first)) {
            return new Home(null, environment);
        }
        Map<String, String> changed = new HashMap<>(environment);
        changed.replaceAll((name, value) -> isNaming(name) ? moved(value, first, now) : value);
        return new Home(now, changed);
    }

    private static boolean isNaming(String variable) {
        for (String prefix : NAMING) {
            if (variable.startsWith(prefix)) {
                return true;
            }
        }
        return false;
    }

    private static String moved(String value, Path before, Path now) {
        return value.equals(before.toString())
                ? now.toString()
                : value.replace(before + "/", now + "/");
    }

    private static Optional<Path> real(Path folder) {
        try {
            return Optional.of(folder.toRealPath());
        } catch (IOException _) {
            return Optional.empty();
        }
    }
}
