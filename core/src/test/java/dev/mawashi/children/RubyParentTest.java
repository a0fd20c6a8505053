package dev.mawashi.children;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.Eventually;
import dev.mawashi.job.Dialect;
import dev.mawashi.lifecycle.PrivateFolder;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What is asked of a parent that has ended, and that whoever asks does not know of yet. Its Ruby
/// is a shell, and the test speaks for it.
final class RubyParentTest {
    @TempDir private Path folder;
    private PrivateFolder own;
    private RubyParent parent;
    private Link link;

    @BeforeEach
    void bootAndEnd() throws IOException {
        own = PrivateFolder.open(Map.of("TMPDIR", folder.toString()));
        List<String> program = List.of("sh", "-c", "exec cat > /dev/null");
        ParentSettings settings =
                new ParentSettings(program, () -> Path.of("none"), Map.of(), List.of(), own);
        parent = RubyParent.launch(settings, settings.home().get(), 1, new NoServices());
        link = new Link(SocketChannel.open(UnixDomainSocketAddress.of(socket())));
        link.send(
                Frame.open(FrameKind.HELLO, 1 + 2 * Integer.BYTES)
                        .put((byte) 'P')
                        .putInt(0)
                        .putInt(1)
                        .flip());
        link.send(Frame.of(FrameKind.READY, "loaded"));
        parent.awaitBoot();
        parent.kill();
        Eventually.until("it has ended", parent.end()::isDone);
    }

    private Path socket() throws IOException {
        try (Stream<Path> files = Files.walk(own.path())) {
            return files.filter(file -> file.endsWith("server")).findAny().orElseThrow();
        }
    }

    @AfterEach
    void close() {
        link.close();
        parent.close();
        own.close();
    }

    @Test
    void itsFirstChildIsNotWaitedFor() {
        CompletableFuture<Boolean> isWithoutReport =
                CompletableFuture.supplyAsync(() -> parent.startUp() == null);

        Eventually.until("nobody waits", isWithoutReport::isDone);
        assertThat(isWithoutReport.join()).isTrue();
    }

    @Test
    void aChildThatItIsToForkIsNotWaitedFor() {
        ChildPool.Work work =
                new ChildPool.Work(ChildPool.Kind.THREADS, Dialect.SIDEKIQ, List.of(1));

        CompletableFuture<Child> child = parent.fork(0, work, FamilyTest.NOBODY);

        Eventually.until("nobody waits", child::isDone);
        assertThat(child).isCompletedExceptionally();
    }
}
