package dev.mawashi.lifecycle;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The folder for files that this process writes while it lives: unpacked files, sockets, the ids
/// of its processes. It is `mawashi-<uid>/<pid>-<start>` in the folder for temporary files, and
/// nobody else may enter it.
///
/// A process that is killed leaves its folder behind. So each `open` first looks at the others: one
/// whose process is gone and whose file `lock` nobody holds is removed, and the processes that it
/// names are ended. The system releases a lock however its process ends. The lock alone shows
/// processes in other containers that share the folder; the process id alone shows when a cleaner
/// of old files has taken the lock's file away.
///
/// A second file `lock`, beside the folders, is held while one is made or removed: otherwise a new
/// folder could be removed before its own lock is taken.
public final class PrivateFolder implements AutoCloseable {
    private static final Set<PosixFilePermission> OURS_ONLY =
            PosixFilePermissions.fromString("rwx------");
    private static final FileAttribute<?> FOLDER = PosixFilePermissions.asFileAttribute(OURS_ONLY);
    private static final String LOCK = "lock";
    private static final String PROCESS = "process-";
    private static final int RADIX = 36;
    private static final int SAME_NAMES_MAX = 10_000;

    private final Path path;
    private final FileChannel lock;
    private volatile @Nullable String kept;

    private PrivateFolder(Path path, FileChannel lock) {
        this.path = path;
        this.lock = lock;
    }

    /// Makes one, and removes what dead processes have left beside it.
    ///
    /// @param environment `TMPDIR` names the folder for temporary files
    /// @throws UncheckedIOException with one line for the operator
    public static synchronized PrivateFolder open(Map<String, String> environment) {
        Path temporary = temporary(environment);
        Path shared = temporary;
        try {
            shared = temporary.resolve("mawashi-" + user(temporary));
            makeOurs(shared, "");
            try (FileChannel guard = lockFile(shared)) {
                guard.lock();
                removeLeftovers(shared);
                Path path = make(shared, name(ProcessHandle.current()));
                FileChannel lock = lockFile(path);
                lock.lock();
                return new PrivateFolder(path, lock);
            }
        } catch (IOException e) {
            throw unusable(shared, e);
        }
    }

    /// TMPDIR as shells and Ruby take it, which Java does not.
    private static Path temporary(Map<String, String> environment) {
        Path given = Path.of(environment.getOrDefault("TMPDIR", ""));
        return given.isAbsolute() ? given : Path.of(System.getProperty("java.io.tmpdir", "/tmp"));
    }

    /// The number of the user that this process runs as.
    private static Object user(Path temporary) throws IOException {
        Path self = Path.of("/proc/self");
        if (Files.exists(self)) {
            return Files.getAttribute(self, "unix:uid");
        }
        Path probe = Files.createTempFile(temporary, "mawashi-", null);
        try {
            return Files.getAttribute(probe, "unix:uid");
        } finally {
            Files.delete(probe);
        }
    }

    /// Its name can be known beforehand, so that somebody else may have made it.
    ///
    /// @param end of its name
    private static void makeOurs(Path shared, String end) throws IOException {
        try {
            Files.createDirectory(shared, FOLDER);
        } catch (FileAlreadyExistsException _) {
            // Whose it is, is looked at below.
        }
        PosixFileAttributes found =
                Files.readAttributes(shared, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        Object owner = Files.getAttribute(shared, "unix:uid", LinkOption.NOFOLLOW_LINKS);
        boolean isOurs = shared.endsWith("mawashi-" + owner + end);
        if (!found.isDirectory() || !isOurs || !found.permissions().equals(OURS_ONLY)) {
            throw new FileSystemException(
                    shared.toString(), null, "it is not a folder that this user alone may enter");
        }
    }

    private static FileChannel lockFile(Path folder) throws IOException {
        return FileChannel.open(
                folder.resolve(LOCK),
                Set.of(
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE,
                        LinkOption.NOFOLLOW_LINKS));
    }

    private static String name(ProcessHandle process) {
        long start = process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
        return process.pid() + "-" + Long.toString(start, RADIX);
    }

    /// A new folder of that name, or with a number behind it.
    private static Path make(Path parent, String name) throws IOException {
        for (int i = 1; i < SAME_NAMES_MAX; i++) {
            Path path = parent.resolve(i == 1 ? name : name + "-" + i);
            try {
                return Files.createDirectory(path, FOLDER);
            } catch (FileAlreadyExistsException _) {
                // The next number.
            }
        }
        throw new FileAlreadyExistsException(parent.resolve(name).toString());
    }

    /// What cannot be removed now is tried again at the next start: nobody's start fails by it.
    private static void removeLeftovers(Path shared) throws IOException {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(shared)) {
            for (Path entry : entries) {
                if (Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS) && isLeft(entry)) {
                    endProcesses(entry);
                    delete(entry);
                }
            }
        }
    }

    private static boolean isLeft(Path folder) {
        if (process(folder.getFileName().toString()).isPresent()) {
            return false;
        }
        try (FileChannel channel = lockFile(folder)) {
            return channel.tryLock() != null;
        } catch (IOException | OverlappingFileLockException _) {
            return false;
        }
    }

    /// The living process that `name` has given this name to.
    private static Optional<ProcessHandle> process(String name) {
        String[] words = name.split("-", 3);
        try {
            String own = words.length < 2 ? "" : words[0] + "-" + words[1];
            return ProcessHandle.of(Long.parseLong(words[0]))
                    .filter(process -> name(process).equals(own));
        } catch (NumberFormatException _) {
            return Optional.empty();
        }
    }

    private static void endProcesses(Path folder) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, PROCESS + "*")) {
            for (Path file : files) {
                process(file.getFileName().toString().substring(PROCESS.length()))
                        .ifPresent(ProcessHandle::destroyForcibly);
            }
        }
    }

    private static void delete(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            List<Path> deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
            for (Path file : deepestFirst) {
                Files.deleteIfExists(file);
            }
        } catch (IOException | UncheckedIOException _) {
            // Tried again when the next process opens its own.
        }
    }

    private void deleteBut(String name) {
        Set<Path> left = Set.of(path, lock(), path.resolve(name));
        try (Stream<Path> files = Files.walk(path)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                if (!left.contains(file)) {
                    Files.deleteIfExists(file);
                }
            }
        } catch (IOException | UncheckedIOException _) {
            // It goes with the folder.
        }
    }

    public Path path() {
        return path;
    }

    /// A folder beside it for files that outlive the process. Nobody else may enter it, and nobody
    /// removes it.
    ///
    /// @param word end of its name
    /// @throws UncheckedIOException with one line for the operator
    public Path kept(String word) {
        Path shared = Objects.requireNonNull(path.getParent());
        Path kept = shared.resolveSibling(shared.getFileName() + "-" + word);
        try {
            makeOurs(kept, "-" + word);
            return kept;
        } catch (IOException e) {
            throw unusable(kept, e);
        }
    }

    /// Makes a new folder in it, also when somebody who cleans up has removed all of it.
    ///
    /// @param name how its name begins
    /// @throws UncheckedIOException with one line for the operator
    public Path newFolder(String name) {
        try {
            beThere();
            return make(path, name);
        } catch (IOException e) {
            throw unusable(path, e);
        }
    }

    /// Writes a file in it at once as a whole, also when somebody who cleans up has removed all of
    /// it.
    ///
    /// @throws UncheckedIOException with one line for the operator
    public void write(String name, String text) {
        try {
            beThere();
        } catch (IOException e) {
            throw unusable(path, e);
        }
        write(path, name, text);
    }

    /// Writes a file at once as a whole, in the folder of a process that lives.
    ///
    /// @throws UncheckedIOException with one line for the operator
    public static void write(Path folder, String name, String text) {
        try {
            Path made = Files.writeString(folder.resolve(name + ".new"), text + "\n");
            Files.move(made, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw unusable(folder, e);
        }
    }

    private void beThere() throws IOException {
        if (!Files.exists(path)) {
            makeOurs(Objects.requireNonNull(path.getParent()), "");
            Files.createDirectory(path, FOLDER);
        }
    }

    /// Has a process ended by who removes this folder, should this process die before it.
    ///
    /// @return the note, to be removed when the process has ended
    /// @throws UncheckedIOException with one line for the operator
    public Path note(ProcessHandle process) {
        try {
            return Files.write(path.resolve(PROCESS + name(process)), new byte[0]);
        } catch (IOException e) {
            throw unusable(path, e);
        }
    }

    /// One line that says what is wrong with a folder, for `IOException`s that say only its name.
    private static UncheckedIOException unusable(Path folder, IOException e) {
        String reason =
                switch (e) {
                    case NoSuchFileException _ -> "there is no such folder";
                    case FileSystemException file when file.getReason() != null -> file.getReason();
                    default -> String.valueOf(e);
                };
        return new UncheckedIOException(
                "cannot use "
                        + folder
                        + ": "
                        + reason
                        + " (make room, remove it, or set TMPDIR to another folder)",
                e);
    }

    /// The file whose lock shows others that the folder's process lives, though they may not see
    /// that.
    public Path lock() {
        return path.resolve(LOCK);
    }

    /// Has `close` leave this file and the lock: the process becomes another program, which goes on
    /// with the folder.
    public void keepAtEnd(String name) {
        kept = name;
    }

    /// Removes it with all that is in it.
    @Override
    public void close() {
        String left = kept;
        if (left != null) {
            deleteBut(left);
            return;
        }
        delete(path);
        try {
            lock.close();
        } catch (IOException _) {
            // The lock's file is gone.
        }
    }
}
