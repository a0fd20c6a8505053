package dev.mawashi.children;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/// The questions to one Ruby parent process about the options of job classes. Whoever asks waits;
/// the thread that reads the parent's link answers.
final class ClassQuestions {
    /// A class may have to be loaded for its answer.
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final AtomicLong last = new AtomicLong();
    private final Map<Long, CompletableFuture<String>> waiting = new ConcurrentHashMap<>();

    /// @param send takes the frame
    /// @param end done once the process has ended
    /// @return a JSON array as `class_options.rb` writes it; "" when none came in time
    String ask(List<String> names, Consumer<ByteBuffer> send, CompletableFuture<Void> end) {
        long number = last.incrementAndGet();
        CompletableFuture<String> answer = new CompletableFuture<>();
        waiting.put(number, answer);
        byte[] text = String.join("\0", names).getBytes(StandardCharsets.UTF_8);
        try {
            send.accept(
                    Frame.open(FrameKind.OPTIONS, Long.BYTES + text.length)
                            .putLong(number)
                            .put(text)
                            .flip());
            CompletableFuture<Void> _ = end.thenRun(() -> answer.complete(""));
            return answer.completeOnTimeout("", PATIENCE.toNanos(), TimeUnit.NANOSECONDS).join();
        } finally {
            waiting.remove(number);
        }
    }

    /// Takes an answer; nobody may wait for it any more.
    void answer(Frame frame) {
        CompletableFuture<String> asked = waiting.get(frame.body().getLong());
        if (asked != null) {
            asked.complete(frame.rest());
        }
    }
}
