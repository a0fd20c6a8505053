package dev.mawashi.children;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.job.Outcome;
import java.nio.ByteBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class OutcomeReaderTest {
    private static Frame problem(char kind) {
        byte[] text = "NameError".getBytes(UTF_8);
        ByteBuffer body =
                ByteBuffer.allocate(100)
                        .put((byte) kind)
                        .putInt(text.length)
                        .put(text)
                        .putInt(text.length)
                        .put(text)
                        .putLong(-1)
                        .putLong(0)
                        .put((byte) 0)
                        .flip();
        return new Frame(FrameKind.PROBLEM, body);
    }

    /// As Sidekiq has it: metrics are of classes, and a class that is not there has run nothing.
    @ParameterizedTest
    @CsvSource({"F,true,Failed", "N,false,Failed", "M,false,Malformed", "I,true,Interrupted"})
    void onlyWhatCameAsFarAsItsClassIsARunOfThatClass(char kind, boolean hadClass, String outcome) {
        Frame frame = problem(kind);

        assertThat(OutcomeReader.hadClass(frame)).isEqualTo(hadClass);
        Outcome read = OutcomeReader.read(frame);
        assertThat(read.getClass().getSimpleName()).isEqualTo(outcome);
    }
}
