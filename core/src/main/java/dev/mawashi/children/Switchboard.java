package dev.mawashi.children;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.BufferUnderflowException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;

/// The Unix socket to which Ruby processes connect. Only this user can enter its directory, so
/// every caller may be believed.
final class Switchboard implements AutoCloseable {
    private final AtomicBoolean isClosed = new AtomicBoolean();
    private final Path folder;
    private final int generation;
    private final ServerSocketChannel server;

    /// Takes a process that has connected and said who it is.
    interface Greeter {
        /// @param role `P` for the parent, `C` for a child, `O` and `E` for what a child writes to
        ///   its standard output and standard error, `F` for one that has no work yet
        /// @param number of the child
        void greet(char role, int number, long pid, Link link);
    }

    /// @param folder an empty one, which goes with it
    /// @param generation of the processes that connect
    Switchboard(Path folder, int generation) {
        this.folder = folder;
        this.generation = generation;
        try {
            server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
            server.bind(UnixDomainSocketAddress.of(socket()));
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "cannot make a socket for Ruby processes in "
                            + folder
                            + ": "
                            + e.getMessage()
                            + " (where that path is too long, set TMPDIR to a shorter one)",
                    e);
        }
    }

    int generation() {
        return generation;
    }

    Path socket() {
        return folder.resolve("server");
    }

    /// The file in which a child's threads note which jobs they run.
    Path marks(long pid) {
        return folder.resolve("marks-" + pid);
    }

    void open(Greeter greeter) {
        Thread.ofVirtual().name("mawashi-accept-1").start(() -> accept(greeter));
    }

    private void accept(Greeter greeter) {
        while (server.isOpen()) {
            try {
                greet(new Link(server.accept()), greeter);
            } catch (AsynchronousCloseException _) {
                return;
            } catch (IOException _) {
                // Perhaps too many files are open: another try.
            }
        }
    }

    private static void greet(Link link, Greeter greeter) {
        try {
            Frame hello = link.read();
            if (hello != null && hello.kind() == FrameKind.HELLO) {
                char role = (char) hello.body().get();
                int number = hello.body().getInt();
                greeter.greet(role, number, hello.body().getInt(), link);
                return;
            }
        } catch (IOException | BufferUnderflowException _) {
            // Who connects and says nothing is no process of ours.
        }
        link.close();
    }

    /// Once: a later one of the same name may be there.
    @Override
    public void close() {
        if (isClosed.getAndSet(true)) {
            return;
        }
        try {
            server.close();
            try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
                for (Path file : files) {
                    Files.deleteIfExists(file);
                }
            }
            Files.deleteIfExists(folder);
        } catch (IOException _) {
            // It goes with the private folder.
        }
    }
}
