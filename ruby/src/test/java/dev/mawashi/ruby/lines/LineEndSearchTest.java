package dev.mawashi.ruby.lines;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class LineEndSearchTest {
    @Test
    void itFindsTheFirstAndTellsWhetherAllBeforeItIsAscii() {
        Random random = new Random(20261121);
        for (int round = 0; round < 20_000; round++) {
            byte[] bytes = new byte[random.nextInt(60)];
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] =
                        (byte)
                                (random.nextInt(20) == 0
                                        ? random.nextInt(256)
                                        : 'a' + random.nextInt(4));
            }
            int from = random.nextInt(bytes.length + 1);
            int to = from + random.nextInt(bytes.length - from + 1);
            int wanted = random.nextBoolean() ? random.nextInt(256) : 'a' + random.nextInt(5);
            LineEndSearch search = new LineEndSearch(wanted);
            search.forget();

            int expected = from;
            boolean isAscii = wanted < 0x80;
            while (expected < to && (bytes[expected] & 0xFF) != wanted) {
                isAscii &= bytes[expected++] >= 0;
            }
            assertThat(search.find(bytes, from, to)).isEqualTo(expected == to ? -1 : expected);
            assertThat(search.hasPassedOnlyAscii()).isEqualTo(isAscii);
        }
    }
}
