package dev.mawashi.server;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// Starts the process anew in its own place, by execve(2): same id, same arguments and environment,
/// so that whoever supervises it sees one process that goes on. Linux only.
public final class Restart {
    /// The exit code where the process cannot start anew by itself: its supervisor is to start it
    /// again (EX_TEMPFAIL of sysexits.h).
    public static final int AGAIN = 75;

    private static final System.Logger LOG = System.getLogger(Restart.class.getName());
    private static final Path SELF = Path.of("/proc/self");
    private static final int STDERR = 2;

    private Restart() {}

    /// Starts the process anew, and returns only if that fails. The server must have stopped: no
    /// other thread goes on, and no shutdown hook runs.
    ///
    /// @param role the last word of its command line; "" for none
    /// @return the exit code to end with
    public static int inPlace(String role) {
        try {
            return become(
                    withRole(Files.readAllBytes(SELF.resolve("cmdline")), role),
                    Files.readAllBytes(SELF.resolve("environ")),
                    Set.of());
        } catch (IOException e) {
            LOG.log(Level.ERROR, "cannot start anew: " + e + ": ending, to be started again");
            return AGAIN;
        }
    }

    private static byte[] withRole(byte[] line, String role) {
        // Each byte a character, so that all come out as they were.
        String all = new String(line, StandardCharsets.ISO_8859_1);
        List<String> words = new ArrayList<>(List.of(all.split("\0", -1)));
        words.removeLast();
        words = OwnCommand.withoutRole(words);
        if (!role.isEmpty()) {
            byte[] word = role.getBytes(StandardCharsets.UTF_8);
            words.add(new String(word, StandardCharsets.ISO_8859_1));
        }
        return terminated(words).getBytes(StandardCharsets.ISO_8859_1);
    }

    /// The words as the kernel has them, each with a zero behind it.
    static String terminated(List<String> words) {
        return String.join("\0", words) + "\0";
    }

    /// Makes another program of this process, in the same JVM's runtime.
    ///
    /// @param line its zero-terminated words, of which the first is only shown
    /// @param environment its zero-terminated variables
    /// @param kept files that stay open, beside the standard ones
    /// @return the exit code to end with if it fails
    static int become(byte[] line, byte[] environment, Set<Path> kept) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment program = arena.allocateFrom(program());
            MemorySegment arguments = Libc.strings(arena, line);
            MemorySegment variables = Libc.strings(arena, environment);
            System.out.flush();
            System.err.flush();
            closeOthersOnExec(kept);
            Libc.execve(program, arguments, variables);
            LOG.log(Level.ERROR, "execve failed: ending, to be started again");
        } catch (RuntimeException | IOException e) {
            LOG.log(Level.ERROR, "cannot start anew: " + e + ": ending, to be started again");
        }
        return AGAIN;
    }

    private static String program() throws IOException {
        return Files.readSymbolicLink(SELF.resolve("exe")).toString();
    }

    /// The JVM's files and sockets must not stay open in the new process.
    private static void closeOthersOnExec(Set<Path> kept) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(SELF.resolve("fd"))) {
            for (Path file : files) {
                int number = Integer.parseInt(file.getFileName().toString());
                if (number > STDERR) {
                    Libc.keepOnExec(number, isOneOf(kept, file));
                }
            }
        }
    }

    private static boolean isOneOf(Set<Path> kept, Path link) {
        try {
            return !kept.isEmpty() && kept.contains(Files.readSymbolicLink(link));
        } catch (IOException _) {
            // The listing's own, which is closed by now.
            return false;
        }
    }
}
