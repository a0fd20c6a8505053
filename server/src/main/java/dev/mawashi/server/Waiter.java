package dev.mawashi.server;

import dev.mawashi.lifecycle.PrivateFolder;
import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The main class of the small process that a server becomes which has handed over to another one
/// and whose id a supervisor knows. It passes signals on to the present server, and ends with the
/// status of that. The orphans of servers become its children, so that it can wait for the next
/// server too, whose id stands in a file.
///
/// All its signals are blocked from before the process changes into it, so that none is lost: it
/// takes one after the other.
public final class Waiter {
    private static final int HUP = 1;
    private static final int INT = 2;
    private static final int QUIT = 3;
    private static final int USR1 = 10;
    private static final int TERM = 15;
    private static final int CHLD = 17;
    private static final int TSTP = 20;
    private static final int TTIN = 21;

    private static final int[] TAKEN = {HUP, INT, QUIT, USR1, TERM, CHLD, TSTP, TTIN};
    private static final Set<Integer> PASSED_ON = Set.of(INT, QUIT, TERM, TSTP, TTIN);

    /// Of a server whose status nobody knows.
    private static final int UNKNOWN = 1;

    /// Variables by which the JVM would load agents, or take more memory.
    private static final Set<String> OF_JVM =
            Set.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS");

    private static final List<String> FLAGS =
            List.of(
                    // The JVM leaves signals alone.
                    "-Xrs",
                    "-Xmx8m",
                    "-Xss512k",
                    "-XX:+UseSerialGC",
                    "-XX:TieredStopAtLevel=1",
                    "-XX:ReservedCodeCacheSize=8m",
                    "-XX:-UsePerfData",
                    "--enable-native-access=ALL-UNNAMED");

    private final Path file;
    private long server;

    private Waiter(long server, Path file) {
        this.server = server;
        this.file = file;
    }

    /// Makes it of this process; returns only if that fails.
    ///
    /// @param server the present one, a child or to become one
    /// @param folder of this process, which is the waiter's from then on
    /// @return the exit code to end with
    static int become(long server, PrivateFolder folder) {
        Libc.block(TAKEN);
        List<String> words =
                Stream.of(
                                Stream.of("mawashi"),
                                FLAGS.stream(),
                                Stream.of("-cp", ownClasses(), Waiter.class.getName()),
                                Stream.of("" + server, folder.path().toString()))
                        .flatMap(part -> part)
                        .toList();
        return Restart.become(
                Restart.terminated(words).getBytes(StandardCharsets.UTF_8),
                environment(),
                Set.of(real(folder.lock())));
    }

    /// As the kernel names it: the temporary folder may be a link.
    private static Path real(Path file) {
        try {
            return file.toRealPath();
        } catch (IOException _) {
            return file;
        }
    }

    /// The jar or folder that this class is in: the others are not needed.
    private static String ownClasses() {
        URL place = Waiter.class.getProtectionDomain().getCodeSource().getLocation();
        try {
            return Path.of(place.toURI()).toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException("where the classes are is not known: " + place, e);
        }
    }

    private static byte[] environment() {
        return System.getenv().entrySet().stream()
                .filter(variable -> !OF_JVM.contains(variable.getKey()))
                .map(Map.Entry::toString)
                .collect(Collectors.joining("\0", "", "\0"))
                .getBytes(StandardCharsets.UTF_8);
    }

    /// @param words the server's id, and the folder of this process
    public static void main(String[] words) {
        name();
        Path folder = Path.of(words[1]);
        int status = new Waiter(Long.parseLong(words[0]), folder.resolve(Handover.FILE)).run();
        remove(folder);
        Runtime.getRuntime().halt(status);
    }

    private static void name() {
        try {
            Files.writeString(Path.of("/proc/self/comm"), "mawashi");
        } catch (IOException _) {
            // It stays `java`.
        }
    }

    private int run() {
        Libc.Ended ended = Libc.ended(server);
        if (ended.pid() != 0 && !hasNext()) {
            return ended.pid() < 0 ? UNKNOWN : ended.status();
        }
        int next = UNKNOWN;
        while (true) {
            int signal = Libc.nextSignal(TAKEN);
            if (PASSED_ON.contains(signal)) {
                passOn(signal);
            }
            for (ended = Libc.ended(-1); ended.pid() > 0; ended = Libc.ended(-1)) {
                boolean isServer = ended.pid() == server;
                if (isServer && !hasNext()) {
                    return present() == ended.pid() || next == UNKNOWN ? ended.status() : next;
                }
                next = !isServer && ended.pid() == present() ? ended.status() : next;
            }
            if (ended.pid() < 0) {
                return UNKNOWN;
            }
        }
    }

    /// To the server, and where it has handed over to that one too.
    private void passOn(int signal) {
        Libc.kill(server, signal);
        long present = present();
        if (present != server) {
            Libc.kill(present, signal);
        }
    }

    /// Waits for the server that has taken the place of the ended one, if there is one.
    private boolean hasNext() {
        long next = present();
        boolean is = next != server && ProcessHandle.of(next).isPresent();
        server = is ? next : server;
        return is;
    }

    private long present() {
        try {
            return Long.parseLong(Files.readString(file).strip());
        } catch (IOException | NumberFormatException _) {
            return server;
        }
    }

    private static void remove(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path one : files.toList()) {
                Files.deleteIfExists(one);
            }
            Files.deleteIfExists(folder);
        } catch (IOException _) {
            // The next server of this user removes it.
        }
    }
}
