package dev.mawashi.children;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A child before anybody knows what it is to run. It calls the app's blocks for the start, which
/// may change Sidekiq's settings, reports them, and waits for its work.
final class FirstChild {
    private final int serial;
    private final ChildOutput output;
    private final CompletableFuture<Link> link = new CompletableFuture<>();

    /// @param serial its number on the wire
    FirstChild(int serial, ChildServices services) {
        this.serial = serial;
        output = new ChildOutput(0, services);
    }

    int serial() {
        return serial;
    }

    /// What it prints, also once it has work.
    ChildOutput output() {
        return output;
    }

    void connected(Link connected) {
        link.complete(connected);
    }

    /// It is gone, perhaps before it has connected. Processes that it left behind may hold its end
    /// of the link open for ever.
    void ended() {
        if (!link.completeExceptionally(new ChildFailure("it ended"))) {
            CompletableFuture.delayedExecutor(ChildBirth.LAST_WORDS.toNanos(), TimeUnit.NANOSECONDS)
                    .execute(this::hangUp);
        }
    }

    private void hangUp() {
        if (!link.isCompletedExceptionally()) {
            link.join().close();
        }
    }

    /// Waits for its report, in the order in which `mawashi/children/report.rb` writes it; null
    /// when it has ended before, as it does when a block raises.
    ///
    /// @throws ChildFailure when the app has set what cannot be meant
    @Nullable List<String> awaitReport() {
        try {
            Frame frame = link.get().read();
            if (frame == null) {
                return null;
            }
            if (frame.kind() == FrameKind.NOT_LOADED) {
                throw new ChildFailure(frame.rest());
            }
            return List.of(frame.rest().split("\0", -1));
        } catch (IOException | ExecutionException _) {
            return null;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new ChildFailure("interrupted while the app's blocks for :startup ran");
        }
    }

    /// Says what it runs.
    ///
    /// @return false when it is gone
    boolean send(ByteBuffer work) {
        try (Link connected = link.getNow(null)) {
            if (connected == null) {
                return false;
            }
            connected.send(work);
            return true;
        } catch (IOException | RuntimeException _) {
            return false;
        }
    }
}
