package dev.mawashi.cli;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandleProxies;
import java.lang.invoke.MethodHandles;
import java.util.function.IntBinaryOperator;
import java.util.function.IntUnaryOperator;

/// Sends to nowhere what the JVM itself prints at its exit. When it writes a cache for the next
/// start, it and the second JVM that it starts for that say so in some thousand characters, and no
/// flag keeps them from it.
final class Silence {
    private static final Linker C = Linker.nativeLinker();
    private static final int O_WRONLY = 1;
    private static final int STDOUT = 1;
    private static final int STDERR = 2;

    private Silence() {}

    /// Nothing that this process, or one that it starts, writes to stdout or stderr is seen any
    /// more. Where there is no `/dev/null`, nothing changes.
    static void begin() {
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

    /// @return a descriptor, or -1
    private static int open(MemorySegment path) {
        MethodHandle open =
                C.downcallHandle(
                        C.defaultLookup().findOrThrow("open"),
                        FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT),
                        Linker.Option.firstVariadicArg(2));
        MethodHandle ofPath = MethodHandles.insertArguments(open, 0, path);
        return MethodHandleProxies.asInterfaceInstance(IntUnaryOperator.class, ofPath)
                .applyAsInt(O_WRONLY);
    }

    private static IntBinaryOperator dup2() {
        MethodHandle dup2 =
                C.downcallHandle(
                        C.defaultLookup().findOrThrow("dup2"),
                        FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
        return MethodHandleProxies.asInterfaceInstance(IntBinaryOperator.class, dup2);
    }
}
