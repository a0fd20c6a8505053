package dev.mawashi.server;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/// The calls of Linux's C library with which a process changes into another program, and looks
/// after children and signals. Each is linked at its first use: most processes make none.
final class Libc {
    private static final int F_SETFD = 2;
    private static final int FD_CLOEXEC = 1;
    private static final int PR_SET_CHILD_SUBREAPER = 36;
    private static final int SIG_BLOCK = 0;
    private static final int WNOHANG = 1;
    private static final int SIGNAL_SET_BYTES = 128;
    private static final int LOW_SEVEN = 0x7f;
    private static final int STATUS_SHIFT = 8;
    private static final int STATUS_MASK = 0xff;

    /// As shells show the end by a signal.
    private static final int BY_SIGNAL = 128;

    private Libc() {}

    /// A call that could not be made.
    private static IllegalStateException uncallable(Throwable e) {
        return new IllegalStateException("the C library cannot be called", e);
    }

    /// Replaces this process by a program; returns only if that fails.
    ///
    /// @param arguments as `strings` makes it, as is `environment`
    static void execve(MemorySegment program, MemorySegment arguments, MemorySegment environment) {
        try {
            int _ = (int) Exec.CALL.invokeExact(program, arguments, environment);
        } catch (Throwable e) {
            throw uncallable(e);
        }
    }

    /// C's array of pointers to the zero-terminated strings of a text.
    static MemorySegment strings(Arena arena, byte[] bytes) {
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

    /// Sets whether a file stays open in the program that this process becomes.
    static void keepOnExec(int file, boolean isKept) {
        try {
            int _ = (int) Fcntl.CALL.invokeExact(file, F_SETFD, isKept ? 0 : FD_CLOEXEC);
        } catch (Throwable e) {
            throw uncallable(e);
        }
    }

    /// Has the kernel give this process the children of descendants that end.
    ///
    /// @throws IllegalStateException when the kernel does not
    static void adoptOrphans() {
        int done;
        try {
            done = (int) Prctl.CALL.invokeExact(PR_SET_CHILD_SUBREAPER, 1L, 0L, 0L, 0L);
        } catch (Throwable e) {
            throw uncallable(e);
        }
        if (done != 0) {
            throw new IllegalStateException("the kernel gives this process no orphans");
        }
    }

    static void kill(long pid, int signal) {
        try {
            int _ = (int) Kill.CALL.invokeExact((int) pid, signal);
        } catch (Throwable e) {
            throw uncallable(e);
        }
    }

    /// The end of a child, which is forgotten by that.
    ///
    /// @param pid 0 for none; -1 when there is no such child
    /// @param status as a shell shows it
    record Ended(long pid, int status) {}

    /// Looks for a child that has ended.
    ///
    /// @param pid -1 for any
    static Ended ended(long pid) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment status = arena.allocate(JAVA_INT);
            int ended = (int) Wait.CALL.invokeExact((int) pid, status, WNOHANG);
            int word = status.get(JAVA_INT, 0);
            int signal = word & LOW_SEVEN;
            return new Ended(
                    ended, signal == 0 ? word >> STATUS_SHIFT & STATUS_MASK : BY_SIGNAL + signal);
        } catch (Throwable e) {
            throw uncallable(e);
        }
    }

    /// Blocks signals for this thread, and for the program that it makes of its process. Those that
    /// come wait for `nextSignal`.
    static void block(int... signals) {
        try (Arena arena = Arena.ofConfined()) {
            int _ = (int) Mask.CALL.invokeExact(SIG_BLOCK, set(arena, signals), MemorySegment.NULL);
        } catch (Throwable e) {
            throw uncallable(e);
        }
    }

    /// Waits for one of these signals, all blocked, for a second at most.
    ///
    /// @return 0 or less when none came
    static int nextSignal(int... signals) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment second = arena.allocateFrom(JAVA_LONG, 1, 0);
            return (int) Next.CALL.invokeExact(set(arena, signals), MemorySegment.NULL, second);
        } catch (Throwable e) {
            throw uncallable(e);
        }
    }

    /// Linux's set of signals: a bit for each, the lowest for signal 1.
    private static MemorySegment set(Arena arena, int... signals) {
        long bits = 0;
        for (int signal : signals) {
            bits |= 1L << signal - 1;
        }
        MemorySegment set = arena.allocate(SIGNAL_SET_BYTES, Long.BYTES);
        byte[] low =
                ByteBuffer.allocate(Long.BYTES)
                        .order(ByteOrder.nativeOrder())
                        .putLong(bits)
                        .array();
        MemorySegment.copy(low, 0, set, JAVA_BYTE, 0, low.length);
        return set;
    }

    private static MethodHandle link(
            String name, FunctionDescriptor form, Linker.Option... options) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), form, options);
    }

    private static FunctionDescriptor form(MemoryLayout... parameters) {
        return FunctionDescriptor.of(JAVA_INT, parameters);
    }

    private static final class Exec {
        static final MethodHandle CALL = link("execve", form(ADDRESS, ADDRESS, ADDRESS));
    }

    private static final class Fcntl {
        static final MethodHandle CALL =
                link(
                        "fcntl",
                        form(JAVA_INT, JAVA_INT, JAVA_INT),
                        Linker.Option.firstVariadicArg(2));
    }

    private static final class Prctl {
        static final MethodHandle CALL =
                link(
                        "prctl",
                        form(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG),
                        Linker.Option.firstVariadicArg(1));
    }

    private static final class Kill {
        static final MethodHandle CALL = link("kill", form(JAVA_INT, JAVA_INT));
    }

    private static final class Wait {
        static final MethodHandle CALL = link("waitpid", form(JAVA_INT, ADDRESS, JAVA_INT));
    }

    private static final class Mask {
        static final MethodHandle CALL = link("pthread_sigmask", form(JAVA_INT, ADDRESS, ADDRESS));
    }

    private static final class Next {
        static final MethodHandle CALL = link("sigtimedwait", form(ADDRESS, ADDRESS, ADDRESS));
    }
}
