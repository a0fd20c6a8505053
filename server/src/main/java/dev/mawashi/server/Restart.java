package dev.mawashi.server;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Starts the process anew in its own place, by execve(2): same id, same arguments and environment,
/// so that whoever supervises it sees one process that goes on. Linux only.
public final class Restart {
    /// The exit code where the process cannot start anew by itself: its supervisor is to start it
    /// again (EX_TEMPFAIL of sysexits.h).
    public static final int AGAIN = 75;

    private static final System.Logger LOG = System.getLogger(Restart.class.getName());
    private static final Path SELF = Path.of("/proc/self");
    private static final int STDERR = 2;
    private static final int F_SETFD = 2;
    private static final int FD_CLOEXEC = 1;

    private Restart() {}

    /// Starts the process anew, and returns only if that fails. The server must have stopped: no
    /// other thread goes on, and no shutdown hook runs.
    ///
    /// @return the exit code to end with
    public static int inPlace() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment program = arena.allocateFrom(program());
            MemorySegment arguments = strings(arena, SELF.resolve("cmdline"));
            MemorySegment environment = strings(arena, SELF.resolve("environ"));
            System.out.flush();
            System.err.flush();
            closeOthersOnExec();
            int failed = (int) Calls.EXECVE.invokeExact(program, arguments, environment);
            LOG.log(Level.ERROR, "execve returned " + failed + ": ending, to be started again");
        } catch (RuntimeException | IOException e) {
            LOG.log(Level.ERROR, "cannot start anew: " + e + ": ending, to be started again");
        } catch (Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("the C library cannot be called", e);
        }
        return AGAIN;
    }

    private static String program() throws IOException {
        return Files.readSymbolicLink(SELF.resolve("exe")).toString();
    }

    /// Reads a file of zero-terminated strings into C's array of pointers to them.
    private static MemorySegment strings(Arena arena, Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        MemorySegment text = arena.allocateFrom(JAVA_BYTE, bytes);
        List<Long> starts = new ArrayList<>();
        long from = 0;
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] == 0) {
                starts.add(from);
                from = i + 1L;
            }
        }
        MemorySegment array = arena.allocate(ADDRESS, starts.size() + 1L);
        for (int i = 0; i < starts.size(); i++) {
            array.setAtIndex(ADDRESS, i, text.asSlice(starts.get(i)));
        }
        array.setAtIndex(ADDRESS, starts.size(), MemorySegment.NULL);
        return array;
    }

    /// The JVM's files and sockets must not stay open in the new process.
    private static void closeOthersOnExec() throws Throwable {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(SELF.resolve("fd"))) {
            for (Path file : files) {
                int number = Integer.parseInt(file.getFileName().toString());
                if (number > STDERR) {
                    int _ = (int) Calls.FCNTL.invokeExact(number, F_SETFD, FD_CLOEXEC);
                }
            }
        }
    }

    /// Linked at the first call: most processes never make one.
    private static final class Calls {
        static final MethodHandle EXECVE =
                Linker.nativeLinker()
                        .downcallHandle(
                                Linker.nativeLinker().defaultLookup().findOrThrow("execve"),
                                FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS));
        static final MethodHandle FCNTL =
                Linker.nativeLinker()
                        .downcallHandle(
                                Linker.nativeLinker().defaultLookup().findOrThrow("fcntl"),
                                FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT),
                                Linker.Option.firstVariadicArg(2));
    }
}
