package dev.mawashi.children;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.Eventually;
import dev.mawashi.lifecycle.PrivateFolder;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FamilyTest implements ChildServices {
    private static final String NAME = "mawashi-test-hang-" + ProcessHandle.current().pid();

    @TempDir private Path folder;

    @Test
    void aBootThatHangsKeepsNobodyFromClosing() {
        try (PrivateFolder own = PrivateFolder.open(Map.of("TMPDIR", folder.toString()))) {
            Family family = family(own);
            CompletableFuture<RubyParent> boot = CompletableFuture.supplyAsync(family::parent);
            Eventually.until("it boots", FamilyTest::lives);
            CompletableFuture<Void> look = CompletableFuture.runAsync(family::present);
            Eventually.until("a look in between is over", look::isDone);

            CompletableFuture<Void> close = CompletableFuture.runAsync(family::close);

            Eventually.until("it is closed", close::isDone);
            assertThat(boot.handle((_, failure) -> failure).join())
                    .isInstanceOf(CompletionException.class)
                    .hasCauseInstanceOf(ChildFailure.class);
            Eventually.until("the process is gone", () -> !lives());
        } finally {
            hung().forEach(ProcessHandle::destroyForcibly);
        }
    }

    /// Its Ruby is a shell that stops itself.
    private Family family(PrivateFolder own) {
        return new Family(
                new ParentSettings(
                        List.of("sh", "-c", "kill -STOP $$", NAME),
                        () -> Path.of("none"),
                        Map.of(),
                        List.of(),
                        own),
                this,
                _ -> {});
    }

    private static boolean lives() {
        return !hung().isEmpty();
    }

    private static List<ProcessHandle> hung() {
        return ProcessHandle.current()
                .children()
                .filter(child -> child.info().commandLine().orElse("").contains(NAME))
                .toList();
    }

    @Override
    public void printed(long pid, @Nullable String jid, String line) {}

    @Override
    public List<String> enqueue(List<List<NewJob>> requests) {
        throw new IllegalStateException("nobody enqueues here");
    }

    @Override
    public List<byte[]> iteration(List<byte[]> words) {
        throw new IllegalStateException("nobody iterates here");
    }
}
