package dev.mawashi.doctor;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.ruby_lang.prism.ParseResult;

/// Parses Ruby files on one thread, each within a limit that another thread watches: some texts,
/// such as thousands of open brackets, keep Prism busy for hours.
final class RubyParser implements AutoCloseable {
    private final Duration limit;
    private PrismEngine engine = new PrismEngine();

    /// The thread that parses, and since when; guarded by this. An interrupt comes only between
    /// `begin` and `end`, so that it never meets the next file.
    private @Nullable Thread parsing;

    private long since;

    /// Thrown when a file cannot be parsed: it takes too long, or Prism fails.
    static final class Unparsable extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Unparsable(String message, RuntimeException cause) {
            super(message, cause);
        }
    }

    RubyParser() {
        this(Duration.ofSeconds(10));
    }

    /// @param limit for a file
    RubyParser(Duration limit) {
        this.limit = limit;
    }

    /// @throws Unparsable when it takes too long, or Prism fails
    ParseResult parse(byte[] ruby) {
        begin();
        try {
            return engine.parse(ruby);
        } catch (RuntimeException e) {
            end();
            engine.close();
            engine = new PrismEngine();
            throw new Unparsable("Prism gave up: " + e.getMessage(), e);
        } finally {
            end();
        }
    }

    private synchronized void begin() {
        parsing = Thread.currentThread();
        since = System.nanoTime();
    }

    private synchronized void end() {
        parsing = null;
        boolean _ = Thread.interrupted();
    }

    /// Ends the parsing of a file that has taken its time; any thread calls it.
    synchronized void endIfOver() {
        if (parsing != null && System.nanoTime() - since > limit.toNanos()) {
            parsing.interrupt();
        }
    }

    @Override
    public void close() {
        engine.close();
    }
}
