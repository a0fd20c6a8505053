package dev.mawashi.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// What Sidekiq's page shows beside a process that was given no tag: the name of its directory, and
/// of a Capistrano release, `<app>/releases/<time>`, the app's.
final class DefaultTag {
    private static final Pattern RELEASE = Pattern.compile("0*[1-9].*");

    private DefaultTag() {}

    /// @param require as given with `-r`: a Rails app's directory counts, for a file the one where
    ///   the process runs
    static String of(@Nullable String require, Path workingDirectory) {
        boolean isFile = require == null || require.endsWith(".rb");
        return of(real(isFile ? workingDirectory : workingDirectory.resolve(require)));
    }

    /// Capistrano's `current` is a link to the release.
    private static Path real(Path directory) {
        try {
            return directory.toRealPath();
        } catch (IOException _) {
            // It is not there, of which others will tell.
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
