package dev.mawashi.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ReportTest {
    @TempDir Path folder;

    private static Row row(String by, int jobs, int lost, int runs) {
        return new Row(
                "F02", "kill", by, 3, 0.5, runs, jobs, lost, 1, 10, 0, 10, 2_900, 3_400, "kept");
    }

    @Test
    void aRowIsReadAsItWasWritten() {
        Row row = row("jruby", 210, 0, 20);

        assertThat(Row.parse(row.text())).isEqualTo(row);
    }

    @Test
    void theTableHasSidekiqBesideAndTheLaterOfTwoRows() throws IOException {
        Path rows = folder.resolve("rows");
        Report.add(rows, row("mri", 100, 0, 1));
        Report.add(rows, row(Row.SIDEKIQ, 211, 9, 1));
        Report.add(rows, row("mri", 210, 0, 1));
        Report.add(rows, row("mri", 4_200, 0, 20));

        assertThat(Report.table(rows).lines().filter(line -> line.startsWith("| F")))
                .containsExactly(
                        "| F02 | kill | mri | 3 + 0.5 s | 210 | 0 | 1 of 10 | 0 | 10 | 3.4 s | kept | 211 | 9 | 1 |",
                        "| F02 | kill | mri | 3 + 0.5 s | 4200 | 0 | 1 of 10 | 0 | 10 | 3.4 s, median 2.9 s of 20 | kept | 211 | 9 | 1 |");
    }

    @Test
    void aDocumentGetsTheTableInThePlaceOfItsOld() throws IOException {
        Path rows = folder.resolve("rows");
        Report.begin(rows, 7);
        Report.add(rows, row("jruby", 210, 0, 1));
        Path document = folder.resolve("page.md");
        Files.writeString(document, "a\n" + Report.BEGIN + "\nold\n" + Report.END + "\nb\n");

        Report.into(document, rows);

        assertThat(Files.readString(document))
                .startsWith("a\n")
                .endsWith(Report.END + "\nb\n")
                .contains("| F02 |")
                .containsPattern("(?m)^- 20.* --seed 7$")
                .doesNotContain("old");
    }
}
