package dev.mawashi.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The tag of a process that was given none, which Sidekiq's page shows beside it: the name of the
/// app's directory. In a Capistrano release, `<app>/releases/<time>`, that is `<app>`.
final class DefaultTag {
    private static final Pattern RELEASE = Pattern.compile("0*[1-9].*");

    private DefaultTag() {}

    /// @param require the value of `-r`: a Rails app's directory, or a Ruby file, for which
    ///   `workingDirectory` counts
    static String of(@Nullable String require, Path workingDirectory) {
        boolean isFile = require == null || require.endsWith(".rb");
        return of(real(isFile ? workingDirectory : workingDirectory.resolve(require)));
    }

    /// Capistrano's `current` is a link to the release.
    private static Path real(Path directory) {
        try {
            return directory.toRealPath();
        } catch (IOException _) {
            // The directory is not there: loading the app will report that.
            return directory.toAbsolutePath().normalize();
        }
    }

    private static String of(Path directory) {
        String name = name(directory);
        Path above = directory.getParent();
        boolean isRelease = RELEASE.matcher(name).matches() && name(above).equals("releases");
        return isRelease && above != null ? name(above.getParent()) : name;
    }

    private static String name(@Nullable Path path) {
        Path name = path == null ? null : path.getFileName();
        return name == null ? "" : name.toString();
    }
}
