package dev.mawashi.children;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PrintedTest extends NoServices {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final LinkedBlockingQueue<String> written = new LinkedBlockingQueue<>();
    private final LinkedBlockingQueue<String> logged = new LinkedBlockingQueue<>();
    private final Printed printed = new Printed(7, this);

    private PipedOutputStream open() throws IOException {
        PipedOutputStream process = new PipedOutputStream();
        printed.read("1", new PipedInputStream(process, 1 << 20), InputStream.nullInputStream());
        return process;
    }

    private String all() {
        printed.await(LIMIT);
        return String.join("", written);
    }

    @Test
    void standardOutputGoesOnAsItIsButInWholeLines() throws Exception {
        try (PipedOutputStream process = open()) {
            process.write("\u001b[1mone\ntwo\n\n  th".getBytes(UTF_8));
            process.flush();
            assertThat(written.take()).isEqualTo("\u001b[1mone\ntwo\n\n");
            process.write("ree\n".getBytes(UTF_8));
            process.flush();
            assertThat(written.take()).isEqualTo("  three\n");
        }
        assertThat(logged).isEmpty();
    }

    @Test
    void theLineBeforeABacktraceIsKeptAndNotItsEnd() throws Exception {
        try (PipedOutputStream process = open()) {
            process.write("jobs.rb:1:in `load': not now (RuntimeError)\n".getBytes(UTF_8));
            for (int i = 0; i < 20; i++) {
                process.write("\tfrom app.rb:7:in `call'\n/x/app.rb:8:in 'A#b'\n".getBytes(UTF_8));
            }
        }
        assertThat(all()).contains("\tfrom app.rb:7:in `call'\n");
        assertThat(printed.last()).containsExactly("jobs.rb:1:in `load': not now (RuntimeError)");
    }

    @Test
    void aLastLineWithoutAnEndGetsOne() throws Exception {
        try (PipedOutputStream process = open()) {
            process.write("one\ntwo".getBytes(UTF_8));
        }
        assertThat(all()).isEqualTo("one\ntwo\n");
    }

    @Test
    void aLineOfAnyLengthComesWhole() throws Exception {
        String wide = "x".repeat(200_000);
        try (PipedOutputStream process = open()) {
            process.write((wide + "\nnext\n").getBytes(UTF_8));
        }
        assertThat(all()).isEqualTo(wide + "\nnext\n");
        assertThat(printed.last()).last().isEqualTo("next");
    }

    @Test
    void standardErrorGoesToTheLogAndTheLastLinesOfBothAreKept() throws Exception {
        PipedOutputStream process = new PipedOutputStream();
        printed.readErrors("1", new PipedInputStream(process));
        process.write("bad\nworse\n".getBytes(UTF_8));
        process.close();
        assertThat(List.of(logged.take(), logged.take())).containsExactly("7 bad", "7 worse");
        printed.readOutput("1", new java.io.ByteArrayInputStream("1\n2\n3\n4".getBytes(UTF_8)));
        printed.await(LIMIT);

        assertThat(printed.last()).containsExactly("worse", "1", "2", "3", "4");
    }

    @Override
    public void wrote(byte[] lines, int length) {
        written.add(new String(lines, 0, length, UTF_8));
    }

    @Override
    public void printed(long pid, @Nullable String jid, String line) {
        logged.add(pid + " " + line);
    }
}
