package dev.mawashi.server;

import dev.mawashi.children.ChildFailure;
import dev.mawashi.children.Home;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The folder of the app under the name that it was given, perhaps a link to the newest of several
/// releases. A process's own folder is the one that the link led to when it was started; a new
/// generation begins where the link leads by then.
final class Release {
    /// Prefixes of the variables in which Bundler and RubyGems name files of a release.
    private static final String[] NAMING = {"BUNDLE_", "BUNDLER_", "RUBY", "GEM_"};

    private final Path given;
    private final Path first;
    private final Map<String, String> environment;

    private Release(Path given, Path first, Map<String, String> environment) {
        this.given = given;
        this.first = first;
        this.environment = environment;
    }

    /// @param require the value of `-r`: named by it, the folder counts as given; else `PWD` names
    ///   it, as shells do
    /// @param here the process's own folder
    static Release of(Map<String, String> environment, @Nullable String require, Path here) {
        Path first = real(here.toAbsolutePath());
        if (isNameOf(first, require)) {
            return new Release(Path.of(require), first, environment);
        }
        String shell = environment.get("PWD");
        Path given = isNameOf(first, shell) ? Path.of(shell) : first;
        return new Release(given, first, environment);
    }

    private static boolean isNameOf(Path folder, @Nullable String name) {
        try {
            return name != null
                    && Path.of(name).isAbsolute()
                    && Files.isDirectory(Path.of(name))
                    && Files.isSameFile(Path.of(name), folder);
        } catch (IOException | InvalidPathException _) {
            return false;
        }
    }

    /// The folder that the name leads to now, with an environment that names no other release.
    ///
    /// @throws ChildFailure when there is none
    Home home() {
        Path now = real(given);
        Map<String, String> changed = new HashMap<>(environment);
        if (!now.equals(first)) {
            changed.replaceAll((name, value) -> isNaming(name) ? moved(value, now) : value);
        }
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

    private String moved(String value, Path now) {
        return value.equals(first.toString())
                ? now.toString()
                : value.replace(first + "/", now + "/");
    }

    private static Path real(Path folder) {
        try {
            return folder.toRealPath();
        } catch (IOException _) {
            throw new ChildFailure("the app's folder " + folder + " is not there");
        }
    }
}
