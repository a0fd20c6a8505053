package dev.mawashi.children;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mawashi.Fuzz;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// What a child that has gone mad may say of an outcome.
class FrameFuzzTest {
    @Test
    void anyFrameIsAnOutcomeOrGarbage() {
        Fuzz.run("child frames", FrameFuzzTest::read);
    }

    /// Such a length, believed, would take all memory and end the server.
    @Test
    void aTextThatIsLongerThanItsFrameIsGarbage() {
        for (int length : new int[] {Integer.MAX_VALUE, -1, 9}) {
            ByteBuffer body = ByteBuffer.allocate(12).putInt(length).rewind();
            assertThatThrownBy(() -> new Frame(FrameKind.PROBLEM, body).text())
                    .isInstanceOf(BufferUnderflowException.class);
        }
    }

    private static void read(Random random) {
        ByteBuffer frame = ByteBuffer.allocate(256);
        frame.put((byte) "IMFX".charAt(random.nextInt(4)));
        put(frame, "RuntimeError");
        put(frame, "it failed");
        frame.putLong(random.nextLong()).putLong(random.nextLong()).put((byte) random.nextInt(4));
        for (int lines = random.nextInt(3); lines > 0; lines--) {
            put(frame, "app.rb:1");
        }
        byte[] bytes = new byte[frame.position()];
        frame.rewind().get(bytes);
        try {
            OutcomeReader.read(
                    new Frame(FrameKind.PROBLEM, ByteBuffer.wrap(Fuzz.mutated(bytes, random))));
        } catch (BufferUnderflowException | IllegalStateException _) {
            // The link's reader takes either for garbage.
        }
    }

    private static void put(ByteBuffer frame, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        frame.putInt(bytes.length).put(bytes);
    }
}
