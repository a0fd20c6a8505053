package dev.mawashi.cli;

import dev.mawashi.doctor.BootFaults;
import dev.mawashi.lifecycle.PrivateFolder;
import dev.mawashi.ruby.AppRedis;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// Starts processes that boot the app once, see `BootChild`, and ends each with all that the app
/// has started in it.
///
/// What is left out stands in a file of a folder of the process, and how its boot has ended in
/// another. A process without the latter has ended in another way. The processes that the app
/// starts have the folder's name in their environment: some of them are no descendants any more.
final class BootProcess {
    /// Names the folder of a boot in the environment of all its processes.
    static final String MARK = "MAWASHI_TRIAL";

    /// Names the variable with what stands for a server's identity in Redis.
    static final String IDENTITY = "MAWASHI_TRIAL_IDENTITY";

    static final String SKIPPED = "skipped";
    static final String END = "end";
    static final String SEPARATOR = "\0";

    /// The child reports a boot that hangs by itself, unless it cannot.
    private static final Duration MARGIN = Duration.ofSeconds(10);

    private static final int ROUNDS_MAX = 20;

    /// Flags that only one process can have, and agents.
    private static final List<String> NOT_TWICE =
            List.of("-agentlib:", "-javaagent:", "-Dcom.sun.management.jmxremote");

    private final List<String> words;
    private final Map<String, String> environment;
    private final URI redis;
    private final String identity;
    private final PrivateFolder folder;
    private final Duration limit;

    BootProcess(
            List<String> words,
            Map<String, String> environment,
            URI redis,
            String identity,
            PrivateFolder folder,
            Duration limit) {
        this.words = words;
        this.environment = environment;
        this.redis = redis;
        this.identity = identity;
        this.folder = folder;
        this.limit = limit;
    }

    /// Boots the app once.
    ///
    /// @param skipped what is not to be loaded
    /// @return see `BootTrial.boot`
    List<String> boot(List<String> skipped) throws InterruptedException {
        Path own = folder.newFolder("boot");
        try {
            Files.write(own.resolve(SKIPPED), skipped);
            Process process = start(own);
            Path note = folder.note(process.toHandle());
            boolean isEnded = false;
            try {
                isEnded = process.waitFor(limit.plus(MARGIN).toSeconds(), TimeUnit.SECONDS);
            } finally {
                end(process, own);
            }
            Files.deleteIfExists(note);
            return result(own, isEnded ? process.exitValue() : -1);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot boot the app: " + e.getMessage(), e);
        }
    }

    /// Whether these words of a boot say that the app has loaded.
    static boolean hasLoaded(List<String> words) {
        return words.size() <= AppRedis.WORDS;
    }

    private Process start(Path own) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(System.getProperty("java.home") + "/bin/java");
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(flag -> NOT_TWICE.stream().noneMatch(flag::startsWith))
                .forEach(command::add);
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.add(Main.class.getName());
        command.addAll(words);
        command.add("--trial=" + own);
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().clear();
        builder.environment().putAll(environment);
        builder.environment().put("REDIS_URL", redis.toString());
        builder.environment().remove("REDIS_PROVIDER");
        builder.environment().put(IDENTITY, identity);
        builder.environment().put(MARK, own.toString());
        return builder.start();
    }

    private List<String> result(Path own, int status) throws IOException {
        Path file = own.resolve(END);
        if (!Files.exists(file)) {
            String reason =
                    status < 0
                            ? "was not done after %s s".formatted(limit.toSeconds())
                            : "ended the process with status " + status;
            return List.of(status < 0 ? "hang" : "exit", "", "", reason, "", "", "last");
        }
        String text = Files.readString(file);
        List<String> parts =
                text.isEmpty() ? List.of() : new ArrayList<>(List.of(text.split(SEPARATOR, -1)));
        if (hasLoaded(parts)) {
            return parts;
        }
        if (parts.size() != BootFaults.WORDS) {
            throw new IllegalStateException("a boot has ended with " + parts);
        }
        if (status > 0) {
            parts.set(3, parts.get(3) + " with status " + status);
        }
        return parts;
    }

    /// Ends it and what bears its mark, until nothing does.
    private static void end(Process process, Path own) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().onExit().join();
        for (int i = 0; i < ROUNDS_MAX; i++) {
            List<ProcessHandle> left = marked(own);
            if (left.isEmpty()) {
                return;
            }
            left.forEach(ProcessHandle::destroyForcibly);
            left.forEach(one ->
                    one.onExit().orTimeout(1, TimeUnit.SECONDS).exceptionally(_ -> one).join());
        }
    }

    /// None where the system does not show environments.
    private static List<ProcessHandle> marked(Path own) {
        List<ProcessHandle> found = new ArrayList<>();
        Path processes = new File("/proc").toPath();
        if (!Files.isDirectory(processes)) {
            return found;
        }
        try (DirectoryStream<Path> all = Files.newDirectoryStream(processes, "[0-9]*")) {
            for (Path one : all) {
                if (isMarked(one, own)) {
                    long pid = Long.parseLong(one.toFile().getName());
                    ProcessHandle.of(pid).ifPresent(found::add);
                }
            }
        } catch (IOException _) {
            // As where there is no such folder.
        }
        return found;
    }

    private static boolean isMarked(Path process, Path own) {
        try {
            String variables =
                    Files.readString(process.resolve("environ"), StandardCharsets.ISO_8859_1);
            return ("\0" + variables + "\0").contains("\0" + MARK + "=" + own + "\0");
        } catch (IOException _) {
            return false; // It has ended, or is another user's.
        }
    }
}
