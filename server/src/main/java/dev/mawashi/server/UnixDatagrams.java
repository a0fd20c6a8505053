package dev.mawashi.server;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;

/// Sends datagrams to a Unix socket on Linux. The JDK has only Unix sockets that are streams, so
/// this calls the C library: socket(2), sendto(2), close(2), with unix(7)'s addresses.
final class UnixDatagrams {
    private static final int AF_UNIX = 1;
    private static final int SOCK_DGRAM_CLOEXEC = 2 | 0x80000;
    private static final int MSG_NOSIGNAL_DONTWAIT = 0x4000 | 0x40;

    /// `sockaddr_un` is a family of two bytes, then the path.
    private static final int FAMILY_BYTES = 2;

    private static final int PATH_BYTES_MAX = 107;

    private final byte[] path;

    /// @param path of the socket; an abstract one begins with `@`
    UnixDatagrams(String path) {
        if (!path.startsWith("/") && !path.startsWith("@")) {
            throw new IllegalArgumentException(path + " is neither a path nor an abstract socket");
        }
        this.path = path.getBytes(StandardCharsets.UTF_8);
        if (this.path.length > PATH_BYTES_MAX) {
            throw new IllegalArgumentException(path + " is longer than " + PATH_BYTES_MAX);
        }
        if (this.path[0] == '@') {
            this.path[0] = 0;
        }
    }

    /// Sends one datagram, or fails at once.
    ///
    /// @throws IllegalStateException when it was not sent
    void send(String text) {
        try (Arena arena = Arena.ofConfined()) {
            int socket = (int) Calls.SOCKET.invokeExact(AF_UNIX, SOCK_DGRAM_CLOEXEC, 0);
            if (socket < 0) {
                throw new IllegalStateException("no socket can be opened");
            }
            try {
                MemorySegment data = arena.allocateFrom(text, StandardCharsets.UTF_8);
                long length = data.byteSize() - 1;
                long sent =
                        (long)
                                Calls.SENDTO.invokeExact(
                                        socket,
                                        data,
                                        length,
                                        MSG_NOSIGNAL_DONTWAIT,
                                        address(arena),
                                        FAMILY_BYTES + path.length);
                if (sent != length) {
                    throw new IllegalStateException("nobody takes it");
                }
            } finally {
                int _ = (int) Calls.CLOSE.invokeExact(socket);
            }
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("the C library cannot be called", e);
        }
    }

    /// A path ends with a zero that does not count; an abstract name begins with one that does.
    private MemorySegment address(Arena arena) {
        MemorySegment address = arena.allocate(FAMILY_BYTES + PATH_BYTES_MAX + 1L, 2);
        address.set(ValueLayout.JAVA_SHORT, 0, (short) AF_UNIX);
        MemorySegment.copy(path, 0, address, ValueLayout.JAVA_BYTE, FAMILY_BYTES, path.length);
        return address;
    }

    /// Linked at the first datagram: most processes send none.
    private static final class Calls {
        static final MethodHandle SOCKET = link("socket", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT);
        static final MethodHandle SENDTO =
                link(
                        "sendto", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT, ADDRESS,
                        JAVA_INT);
        static final MethodHandle CLOSE = link("close", JAVA_INT, JAVA_INT);

        private static MethodHandle link(
                String name, MemoryLayout result, MemoryLayout... parameters) {
            Linker linker = Linker.nativeLinker();
            return linker.downcallHandle(
                    linker.defaultLookup().findOrThrow(name),
                    FunctionDescriptor.of(result, parameters));
        }
    }
}
