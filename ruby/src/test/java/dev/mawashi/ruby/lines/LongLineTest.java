package dev.mawashi.ruby.lines;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class LongLineTest {
    private static final long MEGABYTE = 1 << 20;
    private static final long PLENTY = 1L << 40;

    @Test
    void partsBecomeOneArray() {
        LongLine line = new LongLine();
        line.begin(3);
        line.append("abc".getBytes(US_ASCII), 0, 3);
        byte[] more = new byte[100_000];
        more[99_999] = 'z';
        line.append(more, 1, 99_999);

        byte[] all = line.handOver(100_002);

        assertThat(all).startsWith('a', 'b', 'c', 0).hasSizeBetween(100_002, 125_002);
        assertThat(all[100_001]).isEqualTo((byte) 'z');
    }

    @Test
    void whatIsHandedOverIsNotUsedAgain() {
        LongLine line = new LongLine();
        line.begin(3);
        line.append("abc".getBytes(US_ASCII), 0, 3);
        byte[] first = line.handOver(3);
        line.begin(3);
        line.append("xyz".getBytes(US_ASCII), 0, 3);

        assertThat(first).startsWith('a', 'b', 'c');
        assertThat(line.bytes()).isNotSameAs(first);
    }

    @Test
    void smallLinesTakeWhatTheyWant() {
        assertThat(LongLine.capacity(8_192, 5_000, 0)).isEqualTo(8_192);
    }

    @Test
    void aLargeOneTakesLessWhereMemoryIsShort() {
        int needed = (int) (100 * MEGABYTE);
        assertThat(LongLine.capacity(2L * needed, needed, PLENTY)).isEqualTo(2 * needed);
        assertThat(LongLine.capacity(2L * needed, needed, 130 * MEGABYTE))
                .isEqualTo(needed + needed / 4);
        assertThat(LongLine.capacity(2L * needed, needed, 101 * MEGABYTE)).isEqualTo(needed);
    }

    @Test
    void aLineThatDoesNotFitIntoMemoryIsRefused() {
        assertThatThrownBy(() -> LongLine.capacity(0, 100 * MEGABYTE, 99 * MEGABYTE))
                .isInstanceOf(LineTooLong.class)
                .hasMessageContaining("104857600 bytes and more")
                .hasMessageContaining("-Xmx");
    }

    @Test
    void aLineOfTwoGigabytesIsRefusedWithAnyMemory() {
        long most = LongLine.BYTES_MAX;
        assertThat(LongLine.capacity(3 * most, most, PLENTY)).isEqualTo(LongLine.BYTES_MAX);
        assertThat(LongLine.capacity(most / 2 * 3, most - 5, PLENTY)).isEqualTo(LongLine.BYTES_MAX);
        assertThatThrownBy(() -> LongLine.capacity(0, most + 1, PLENTY))
                .isInstanceOf(LineTooLong.class)
                .hasMessageContaining("a string has at most 2147483639");
    }
}
