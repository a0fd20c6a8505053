package dev.mawashi.children;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mawashi.Eventually;
import dev.mawashi.job.Outcome;
import dev.mawashi.lifecycle.PrivateFolder;
import java.nio.LongBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class FamilyTest implements ChildPool.User {
    private static final String NAME = "mawashi-test-hang-" + ProcessHandle.current().pid();

    /// Of children that never come to be.
    static final ChildListener NOBODY =
            new ChildListener() {
                @Override
                public void done(LongBuffer idsAndNanos) {}

                @Override
                public void ended(long id, long nanos, Outcome outcome, boolean hadClass) {}

                @Override
                public void returned(long[] ids) {}

                @Override
                public @Nullable String jid(long id) {
                    return null;
                }

                @Override
                public void silent(Child child) {}

                @Override
                public void lost(ChildEnd end, @Nullable Noted noted) {}
            };

    @TempDir private Path folder;
    private List<Map.Entry<String, String>> flags = List.of();

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

    @Test
    void aPoolWithoutAChildThatCouldStartSaysWhy() {
        try (PrivateFolder own = PrivateFolder.open(Map.of("TMPDIR", folder.toString()));
                Family family = family(own, "sh", "-c", "exit 3", NAME);
                ChildPool pool = family.pool(1, 1)) {
            assertThat(pool.trouble()).isEmpty();
            pool.start(this);
            Eventually.until("it says why", () -> pool.trouble().startsWith("no child process: "));
        }
    }

    /// More than its pipe holds.
    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aRubyThatEndsBeforeItsFlagsAreWrittenIsToldOf() {
        flags = List.of(Map.entry("require", "x".repeat(1 << 20)));
        try (PrivateFolder own = PrivateFolder.open(Map.of("TMPDIR", folder.toString()));
                Family family = family(own, "sh", "-c", "exit 3", NAME)) {
            assertThatThrownBy(family::boot)
                    .isInstanceOf(ChildFailure.class)
                    .hasMessageContaining("Ruby ended with status 3 while it loaded the app");
        }
    }

    /// Its Ruby is a shell that stops itself.
    private Family family(PrivateFolder own) {
        return family(own, "sh", "-c", "kill -STOP $$", NAME);
    }

    private Family family(PrivateFolder own, String... program) {
        return new Family(
                new ParentSettings(List.of(program), () -> Path.of("none"), Map.of(), flags, own),
                new NoServices(),
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
    public ChildListener listener(int number) {
        return NOBODY;
    }

    @Override
    public void ready(Child child, ChildListener listener) {}

    @Override
    public void leave(Child child, ChildListener listener, String why) {}
}
