package dev.mawashi.embedded;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A server program that starts on this machine and is new enough.
///
/// The machine's own comes first: it gets the distribution's security fixes. The one in the jar is
/// for machines that have none.
///
/// @param version as the program prints it, such as `7.0.15`
record RedisBinary(Path path, String version) {
    private static final int VERSION_MAJOR_MIN = 7;
    private static final int ANSWER_SECONDS_MAX = 10;
    private static final Pattern VERSION = Pattern.compile("\\bv=((\\d+)\\.[0-9.]+)");

    static RedisBinary find(SearchPath searchPath, Bundle bundle) {
        for (String name : new String[] {"valkey-server", "redis-server"}) {
            for (Path candidate : searchPath.all(name)) {
                Optional<RedisBinary> usable = probe(candidate);
                if (usable.isPresent()) {
                    return usable.get();
                }
            }
        }
        return bundle.unpacked();
    }

    /// Empty when the program does not start, is too old, or is something else.
    static Optional<RedisBinary> probe(Path program) {
        @Nullable Process process = null;
        try {
            process =
                    new ProcessBuilder(program.toString(), "--version")
                            .redirectErrorStream(true)
                            .start();
            process.getOutputStream().close();
            if (!process.waitFor(ANSWER_SECONDS_MAX, TimeUnit.SECONDS)) {
                return Optional.empty();
            }
            byte[] answer = process.getInputStream().readNBytes(1024);
            return parse(program, new String(answer, StandardCharsets.UTF_8));
        } catch (IOException _) {
            return Optional.empty(); // A file that cannot be executed here is no candidate.
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        } finally {
            if (process != null) {
                process.destroyForcibly();
            }
        }
    }

    static Optional<RedisBinary> parse(Path program, String answer) {
        Matcher matcher = VERSION.matcher(answer);
        if (!matcher.find() || Integer.parseInt(matcher.group(2)) < VERSION_MAJOR_MIN) {
            return Optional.empty();
        }
        return Optional.of(new RedisBinary(program, matcher.group(1)));
    }

    static boolean isExecutable(Path file) {
        return Files.isRegularFile(file) && Files.isExecutable(file);
    }
}
