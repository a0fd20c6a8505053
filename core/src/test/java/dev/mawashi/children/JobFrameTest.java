package dev.mawashi.children;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

final class JobFrameTest {
    private static Child.Job job(long id, String queue, String payload, boolean isObject) {
        return new Child.Job(id, queue.getBytes(UTF_8), payload.getBytes(UTF_8), isObject);
    }

    private static boolean mayBeParsedTogether(Child.Job... jobs) {
        return JobFrame.of(List.of(jobs), 0).get(Frame.HEAD_BYTES) == 1;
    }

    @Test
    void aQueuesNameStandsThereOnceForJobsInARow() {
        ByteBuffer frame =
                JobFrame.of(
                        List.of(
                                job(7, "a", "{}", true),
                                job(8, "a", "{\"b\":1}", true),
                                job(9, "cd", "{}", true)),
                        -3);

        assertThat(frame.getInt()).isEqualTo(frame.remaining());
        assertThat((char) frame.get()).isEqualTo('J');
        assertThat(frame.get()).isEqualTo((byte) 1);
        assertThat(frame.getInt()).isEqualTo(3);
        assertThat(frame.getInt()).isEqualTo("acd".length());
        assertThat(frame.getLong()).isEqualTo(-3);
        assertHead(frame, 7, 1, 2);
        assertHead(frame, 8, 0xffff, 7);
        assertHead(frame, 9, 2, 2);
        assertThat(UTF_8.decode(frame).toString()).isEqualTo("acd[{},{\"b\":1},{}]");
    }

    private static void assertHead(ByteBuffer frame, long id, int queueBytes, int payloadBytes) {
        assertThat(frame.getLong()).isEqualTo(id);
        assertThat(Short.toUnsignedInt(frame.getShort())).isEqualTo(queueBytes);
        assertThat(frame.getInt()).isEqualTo(payloadBytes);
    }

    @Test
    void onlyObjectsAreParsedTogether() {
        assertThat(mayBeParsedTogether(job(1, "a", "{}", true), job(2, "a", "{}", true))).isTrue();
        assertThat(mayBeParsedTogether(job(1, "a", "{}", true), job(2, "a", "{},{", false)))
                .isFalse();
        assertThat(mayBeParsedTogether(job(1, "a", "1", false), job(2, "a", "{}", true))).isFalse();
    }

    @Test
    void jobsOfManyBytesGoInSeveralFramesAndEachIsInOne() {
        String most = " ".repeat(JobFrame.PAYLOADS_BYTES_MAX);

        List<ByteBuffer> frames =
                JobFrame.split(
                        List.of(
                                job(1, "a", "{}", true),
                                job(2, "a", "{}", true),
                                job(3, "a", most, true),
                                job(4, "a", most + most, true),
                                job(5, "a", "{}", true)),
                        0);

        assertThat(frames).extracting(JobFrameTest::jobs).containsExactly(2, 1, 1, 1);
        assertThat(frames).extracting(ByteBuffer::position).containsOnly(0);
    }

    private static int jobs(ByteBuffer frame) {
        return frame.getInt(Frame.HEAD_BYTES + 1);
    }

    @Test
    void muchIsNotParsedTogether() {
        String most = "{" + " ".repeat(JobFrame.TOGETHER_BYTES_MAX - 3) + "}";

        assertThat(mayBeParsedTogether(job(1, "a", most, true))).isTrue();
        assertThat(mayBeParsedTogether(job(1, "a", most + " ", true))).isFalse();
    }
}
