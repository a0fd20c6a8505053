package dev.mawashi.embedded;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What a start and a stop do when the server cannot be started or ended. The rest is in
/// `EmbeddedRedisIT`.
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class SupervisorTest {
    private static final Duration MOMENT = Duration.ofMillis(100);

    /// Not even KILL ends it, as a process that waits for a disk.
    private static final class Endless extends Process {
        private final CompletableFuture<Process> end = new CompletableFuture<>();

        @Override
        public long pid() {
            return 7;
        }

        @Override
        public int waitFor() {
            end.join();
            return 0;
        }

        @Override
        public boolean waitFor(long time, TimeUnit unit) {
            return false;
        }

        @Override
        public CompletableFuture<Process> onExit() {
            return end;
        }

        @Override
        public void destroy() {}

        @Override
        public Process destroyForcibly() {
            return this;
        }

        @Override
        public int exitValue() {
            throw new IllegalThreadStateException("it has not ended");
        }

        @Override
        public OutputStream getOutputStream() {
            return OutputStream.nullOutputStream();
        }

        @Override
        public InputStream getInputStream() {
            return InputStream.nullInputStream();
        }

        @Override
        public InputStream getErrorStream() {
            return InputStream.nullInputStream();
        }
    }

    @Test
    void aServerThatNothingEndsHoldsUpNoStop() throws IOException {
        Endless server = new Endless();
        Supervisor supervisor =
                new Supervisor(() -> new Supervisor.Child(server, Optional.empty()));
        Process _ = supervisor.start();

        supervisor.stop(MOMENT);

        server.end.complete(server);
    }

    @Test
    void whateverKeepsItFromStartingIsToldToWhoStartedIt() {
        Supervisor supervisor =
                new Supervisor(() -> {
                    throw new IllegalStateException("no folder");
                });

        assertThatThrownBy(supervisor::start)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no folder");
    }
}
