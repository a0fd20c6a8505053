package dev.mawashi.embedded;

import dev.mawashi.lifecycle.PrivateFolder;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The private folder (0700) of one server: its data, its log, its password, and who uses it.
///
/// Two servers in one folder would destroy its data, so this process holds a lock on the file
/// `lock` for as long as the folder is open; the system releases it however the process ends. A
/// server may outlive its parent for a moment; `server.pid` names it, and `endLeftover` ends it
/// before the next one starts.
final class DataDirectory implements AutoCloseable {
    private static final int PASSWORD_BYTES = 24;
    private static final int END_PROBE_MS = 20;
    private static final int END_PROBES_MAX = 500;

    private final Path path;
    private final @Nullable PrivateFolder passing;
    private final FileChannel lockFile;
    private final String password;

    private DataDirectory(
            Path path, @Nullable PrivateFolder passing, FileChannel lockFile, String password) {
        this.path = path;
        this.passing = passing;
        this.lockFile = lockFile;
        this.password = password;
    }

    /// A new folder, deleted at `close`.
    ///
    /// @param environment `TMPDIR` names its parent
    static DataDirectory temporary(Map<String, String> environment) {
        PrivateFolder folder = PrivateFolder.open(environment);
        try {
            return open(folder.newFolder("redis"), folder);
        } catch (IOException e) {
            folder.close();
            throw unusable(folder.path(), e);
        }
    }

    /// A folder that stays; made when it is missing, refused when it holds something else.
    static DataDirectory kept(Path path) {
        try {
            Files.createDirectories(path);
            if (!Files.exists(path.resolve("password")) && !isEmpty(path)) {
                throw new EmbeddedRedisFailure(
                        path
                                + " holds something else than data of the bundled Redis:"
                                + " name an empty or a new folder with --dir");
            }
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwx------"));
            return open(path.toRealPath(), null);
        } catch (IOException e) {
            throw unusable(path, e);
        }
    }

    private static DataDirectory open(Path path, @Nullable PrivateFolder passing)
            throws IOException {
        FileChannel channel =
                FileChannel.open(
                        path.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            if (tryLock(channel) == null) {
                throw new EmbeddedRedisFailure(
                        path
                                + " is in use by another Mawashi: stop it or name another folder with"
                                + " --dir");
            }
            return new DataDirectory(path, passing, channel, password(path.resolve("password")));
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    Path path() {
        return path;
    }

    /// The server's password. It is kept with the data, so that the URL of a kept server stays the
    /// same.
    String password() {
        return password;
    }

    /// Ends the server that an earlier process left in this folder, if it still runs.
    void endLeftover() {
        Path record = path.resolve("server.pid");
        try {
            if (!Files.exists(record)) {
                return;
            }
            String[] words = Files.readString(record).strip().split(" ", 2);
            @Nullable ProcessHandle leftover =
                    ProcessHandle.of(Long.parseLong(words[0]))
                            .filter(process -> words[words.length - 1].equals(startOf(process)))
                            .orElse(null);
            if (leftover != null && leftover.destroyForcibly() && !isEnded(leftover)) {
                throw new EmbeddedRedisFailure(
                        "the server that " + record + " names does not end: end it yourself");
            }
            Files.delete(record);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EmbeddedRedisFailure("interrupted while an earlier server ended", e);
        } catch (IOException | ExecutionException | NumberFormatException e) {
            throw new EmbeddedRedisFailure(
                    "cannot end the server that " + record + " names: end it and delete that file",
                    e);
        }
    }

    /// Whether the process ends within ten seconds. A zombie counts as ended: in a container
    /// perhaps nobody reaps it, but it runs no program and holds no file.
    static boolean isEnded(ProcessHandle process) throws InterruptedException, ExecutionException {
        for (int i = 0; i < END_PROBES_MAX && process.info().command().isPresent(); i++) {
            try {
                process.onExit().get(END_PROBE_MS, TimeUnit.MILLISECONDS);
            } catch (TimeoutException _) {
                // It is asked again, END_PROBES_MAX times in all.
            }
        }
        return process.info().command().isEmpty();
    }

    void record(ProcessHandle server) throws IOException {
        Files.writeString(path.resolve("server.pid"), server.pid() + " " + startOf(server) + "\n");
    }

    /// Releases the folder, and deletes it unless it is kept.
    @Override
    public void close() {
        try {
            Files.deleteIfExists(path.resolve("server.pid"));
            lockFile.close();
            if (passing != null) {
                passing.close();
            }
        } catch (IOException e) {
            throw new EmbeddedRedisFailure("cannot delete " + path + ": " + e.getMessage(), e);
        }
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException _) {
            return null; // This process has it already.
        }
    }

    private static String password(Path file) throws IOException {
        if (Files.exists(file)) {
            return Files.readString(file).strip();
        }
        byte[] chance = new byte[PASSWORD_BYTES];
        new SecureRandom().nextBytes(chance);
        String fresh = HexFormat.of().formatHex(chance);
        Files.createFile(
                file,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(file, fresh + "\n");
        return fresh;
    }

    /// Separates a process from a later one with the same number.
    private static String startOf(ProcessHandle process) {
        return process.info().startInstant().map(Instant::toString).orElse("unknown");
    }

    private static boolean isEmpty(Path folder) throws IOException {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.findAny().isEmpty();
        }
    }

    private static EmbeddedRedisFailure unusable(Path path, IOException e) {
        return new EmbeddedRedisFailure(
                "cannot use the folder "
                        + path
                        + " for the data ("
                        + e.getClass().getSimpleName()
                        + "): make it writable or name another with --dir",
                e);
    }
}
