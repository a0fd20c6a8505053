package dev.mawashi.children;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.Eventually;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What the server says to a process that does not read.
final class LinkTest {
    /// More than a socket holds.
    private static final int LARGE_BYTES = 8 << 20;

    @TempDir private Path folder;
    private Link server;
    private SocketChannel process;
    private Link reader;

    @BeforeEach
    void connect() throws IOException {
        UnixDomainSocketAddress address = UnixDomainSocketAddress.of(folder.resolve("s"));
        try (ServerSocketChannel listening =
                ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            listening.bind(address);
            process = SocketChannel.open(address);
            server = new Link(listening.accept());
        }
        reader = new Link(process);
    }

    @AfterEach
    void close() throws IOException {
        server.close();
        process.close();
    }

    private static ByteBuffer large() {
        return Frame.open(FrameKind.JOBS, LARGE_BYTES).put(new byte[LARGE_BYTES]).flip();
    }

    private CompletableFuture<Void> send(ByteBuffer frame) {
        CompletableFuture<Void> sent = new CompletableFuture<>();
        Thread.ofPlatform()
                .daemon()
                .start(() -> {
                    try {
                        server.send(frame);
                        sent.complete(null);
                    } catch (IOException e) {
                        sent.completeExceptionally(e);
                    }
                });
        return sent;
    }

    /// As the process holds it, and never hangs up.
    @Test
    void aFirstChildThatIsGoneIsNotWaitedForWhereOthersHoldItsEnd() {
        FirstChild child = new FirstChild(1, new NoServices());
        child.connected(server);

        child.ended();
        child.ended();

        assertThat(child.awaitReport()).isNull();
    }

    private void post(ByteBuffer frame) {
        CompletableFuture<Void> posted = CompletableFuture.runAsync(() -> server.post(frame));
        Eventually.until("nobody waits", posted::isDone);
    }

    private void assertSent(FrameKind... kinds) throws IOException {
        for (FrameKind kind : kinds) {
            assertThat(Objects.requireNonNull(reader.read()).kind()).isEqualTo(kind);
        }
    }

    @Test
    void onlyOneWaitsForAProcessThatDoesNotRead() throws IOException {
        CompletableFuture<Void> first = send(large());
        // The length of its first frame: that one is under way, and cannot be sent whole.
        ByteBuffer begun = ByteBuffer.allocate(Integer.BYTES);
        while (begun.hasRemaining()) {
            process.read(begun);
        }
        post(Frame.of(FrameKind.RECALL));
        CompletableFuture<Void> second = send(large());
        Eventually.until("the second does not wait", second::isDone);
        post(Frame.of(FrameKind.END));
        assertThat(first).isNotDone();

        process.read(ByteBuffer.allocate(1));
        ByteBuffer body = ByteBuffer.allocate(LARGE_BYTES);
        while (body.hasRemaining()) {
            process.read(body);
        }
        assertSent(FrameKind.RECALL, FrameKind.JOBS, FrameKind.END);
        Eventually.until("all is sent", first::isDone);
    }

    @Test
    void whatIsOnlyPostedHoldsNobodyUp() throws IOException {
        post(large());
        post(Frame.of(FrameKind.RECALL));

        assertSent(FrameKind.JOBS, FrameKind.RECALL);
    }

    @Test
    void whoWaitsGoesOnWhenTheLinkIsClosed() {
        CompletableFuture<Void> sent = send(large());
        post(Frame.of(FrameKind.RECALL));
        server.close();

        Eventually.until("it goes on", sent::isDone);
    }
}
