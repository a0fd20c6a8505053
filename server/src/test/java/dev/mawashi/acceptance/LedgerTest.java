package dev.mawashi.acceptance;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LedgerTest {
    @TempDir Path folder;

    @Test
    void aLineIsCountedOnceItIsWhole() throws IOException {
        Ledger ledger = new Ledger(folder);
        write("start a SleepJob\nend a Sle");

        assertThat(ledger.count("start", "SleepJob")).isEqualTo(1);
        assertThat(ledger.lines("end")).isEmpty();

        write("epJob\nend b SleepJob\n");

        assertThat(ledger.count("end", "SleepJob")).isEqualTo(2);
        assertThat(ledger.byJid("end")).containsOnlyKeys("a", "b");
        assertThat(ledger.byPid("end")).containsEntry(17L, 2L);
    }

    private void write(String text) throws IOException {
        Files.writeString(folder.resolve("17.log"), text, CREATE, APPEND);
    }
}
