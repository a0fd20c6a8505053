package dev.mawashi.server;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.File;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandleProxies;
import java.lang.invoke.MethodHandles;
import java.util.function.IntBinaryOperator;
import java.util.function.IntConsumer;
import java.util.function.IntUnaryOperator;

/// What this start notes down for the next one. A JVM that takes notes (`-XX:AOTCacheOutput`) makes
/// a cache of them as it ends, whichever way it ends: that takes some seconds, and this JVM and a
/// second one that it starts print some thousand characters. No flag prevents either. So a server
/// that has worked off jobs silences its output first, and any other process ends without a cache.
public final class StartNotes {
    /// Set by `./mawashi` together with the JVM's flag, to the file that the flag names.
    private static final String TAKES_NOTES = "mawashi.takesNotes";

    /// The suffix of the JVM's own file beside that one. It stays empty until the JVM makes the
    /// cache, and only then the JVM removes it.
    private static final String JVM_FILE = ".config";

    private static final int O_WRONLY = 1;
    private static final int STDOUT = 1;
    private static final int STDERR = 2;

    private static volatile boolean areKept;

    private StartNotes() {}

    /// @return whether the JVM makes a cache as this process ends
    public static boolean areTaken() {
        return System.getProperty(TAKES_NOTES) != null;
    }

    /// Has the JVM make the cache. From now on all that this process, or one that it starts, writes
    /// to stdout or stderr goes to `/dev/null`, if there is one.
    public static void keep() {
        areKept = true;
        System.out.flush();
        System.err.flush();
        try (Arena arena = Arena.ofConfined()) {
            int nowhere = open(arena.allocateFrom("/dev/null"));
            if (nowhere >= 0) {
                IntBinaryOperator dup2 = dup2();
                int _ = dup2.applyAsInt(nowhere, STDOUT);
                int _ = dup2.applyAsInt(nowhere, STDERR);
            }
        }
    }

    /// Ends the process. Where notes are taken and not kept, no cache is made and no shutdown hook
    /// runs.
    ///
    /// @param code 0 to 255
    public static void exit(int code) {
        if (areTaken() && !areKept) {
            halt(code);
        }
        System.exit(code);
    }

    /// Ends the process at once: no cache is made and no shutdown hook runs.
    ///
    /// @param code 0 to 255
    public static void halt(int code) {
        System.out.flush();
        System.err.flush();
        String notes = System.getProperty(TAKES_NOTES);
        if (notes != null) {
            boolean _ = new File(notes + JVM_FILE).delete();
            endWithoutJvm(code);
        }
        Runtime.getRuntime().halt(code);
    }

    private static void endWithoutJvm(int code) {
        MethodHandle exit = function("_exit", FunctionDescriptor.ofVoid(JAVA_INT));
        MethodHandleProxies.asInterfaceInstance(IntConsumer.class, exit).accept(code);
    }

    /// @return a descriptor, or -1
    private static int open(MemorySegment path) {
        MethodHandle open =
                function(
                        "open",
                        FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT),
                        Linker.Option.firstVariadicArg(2));
        MethodHandle ofPath = MethodHandles.insertArguments(open, 0, path);
        return MethodHandleProxies.asInterfaceInstance(IntUnaryOperator.class, ofPath)
                .applyAsInt(O_WRONLY);
    }

    private static IntBinaryOperator dup2() {
        MethodHandle dup2 = function("dup2", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
        return MethodHandleProxies.asInterfaceInstance(IntBinaryOperator.class, dup2);
    }

    /// The linker is not held in a constant, so that a process without notes does not load its
    /// classes.
    private static MethodHandle function(
            String name, FunctionDescriptor descriptor, Linker.Option... options) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), descriptor, options);
    }
}
