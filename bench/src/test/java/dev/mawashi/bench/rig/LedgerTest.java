package dev.mawashi.bench.rig;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LedgerTest {
    @TempDir private Path folder;

    @Test
    void jobsThatAreLostRunTwiceOrChangeTheirCodeAreCounted() throws Exception {
        Files.writeString(
                folder.resolve("1.ledger"),
                """
                begin 1 1 1000000000
                begin 2 1 1500000000
                end 1 1 2000000000
                begin 3 1 2100000000
                begin 3 2 3000000000
                end 3 2 3500000000
                begin 4 1 2200000000
                """);
        Files.writeString(
                folder.resolve("2.ledger"),
                """
                begin 5 2 4000000000
                end 5 1 7000000000
                end 4 1 8000000000
                end 2\
                """);

        Ledger ledger = Ledger.read(folder);

        // The second is lost: its last line is half written.
        assertThat(ledger.ended()).isEqualTo(4);
        assertThat(ledger.repeated()).isEqualTo(1);
        assertThat(ledger.changed()).isEqualTo(1);
        assertThat(ledger.releases()).isEqualTo(2);
        // 4 and 5 ended on 1 after 3 had begun on 2.
        assertThat(ledger.outlived()).isEqualTo(2);
        assertThat(ledger.rates(0, 5, 2)).containsExactly(0.4, 0.4);
    }

    @Test
    void anEndWithoutABeginIsAnotherCode() throws Exception {
        Files.writeString(folder.resolve("1.ledger"), "end 1 1 2000000000\n");

        assertThat(Ledger.read(folder).changed()).isEqualTo(1);
    }
}
