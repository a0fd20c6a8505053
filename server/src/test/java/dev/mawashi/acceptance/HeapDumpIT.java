package dev.mawashi.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Heaps of a real server and of its children, written where they are.
final class HeapDumpIT {
    private static final Pattern WRITTEN = Pattern.compile("(?m)^(/\\S+), [\\d,]+ MiB, on");
    private static final int HEAD = 18;

    @TempDir Path folder;

    private Child start(Workplace place, String runner) {
        return place.mawashi(
                        Map.of("TMPDIR", folder.toString()),
                        "run",
                        "-r",
                        Workplace.APP,
                        "--runner",
                        runner,
                        "-c",
                        "1")
                .awaitLog("working on");
    }

    private static String identity(Workplace place) {
        place.await("a beat", () -> place.number("SCARD", "processes") == 1);
        return Workplace.text(place.strings("SMEMBERS", "processes").getFirst());
    }

    private static Child heap(Workplace place, String... more) {
        String[] words =
                Stream.concat(
                                Stream.of("processes", "heap", identity(place), "--yes"),
                                Stream.of(more))
                        .toArray(String[]::new);
        Child command = place.mawashi(Workplace.NO_GEMS, words);
        command.awaitExit();
        return command;
    }

    private Path file(Child command) throws IOException {
        Matcher found = WRITTEN.matcher(command.log());
        assertThat(found.find()).as(command.log()).isTrue();
        Path file = Path.of(found.group(1));
        assertThat(file).startsWith(folder);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        Path parent = file.getParent();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(parent)))
                .isEqualTo("rwx------");
        return file;
    }

    private static String head(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return new String(in.readNBytes(HEAD), StandardCharsets.US_ASCII);
        }
    }

    @Test
    void heapsOfTheJvmAndOfAChildOutliveTheServer() throws IOException {
        try (Workplace place = new Workplace(folder)) {
            Child server = start(place, "mri");
            place.pushJobs(1, "one", "PlainJob", "[]");
            place.await("it ran", () -> place.ledger().count("end", "PlainJob") == 1);
            String child = "" + place.ledger().byPid("end").keySet().iterator().next();

            Path ofJvm = file(heap(place));
            Path ofChild = file(heap(place, "--child", child));
            assertThat(head(ofJvm)).isEqualTo("JAVA PROFILE 1.0.2");
            try (Stream<String> lines = Files.lines(ofChild, StandardCharsets.ISO_8859_1)) {
                assertThat(lines).anyMatch(line -> line.contains("PlainJob"));
            }
            assertThat(heap(place, "--child", "1").log())
                    .contains("no heap: 1 is no child of the runner mri: see mawashi processes");

            place.pushJobs(1, "two", "PlainJob", "[]");
            place.await("it goes on", () -> place.ledger().count("end", "PlainJob") == 2);
            server.awaitLog("heap dump: " + ofJvm, "heap dump: " + ofChild);
            server.signal("TERM");
            assertThat(server.awaitExit()).as(server::log).isZero();
            assertThat(ofJvm).exists();
            assertThat(ofChild).exists();
        }
    }

    /// Long: a server more, for a refusal.
    @Tag("long")
    @Test
    void aChildThatForksAndAFolderThatIsNotOursAreRefused() throws IOException {
        try (Workplace place = new Workplace(folder)) {
            Child server = start(place, "fork");
            place.pushJobs(1, "held", "GateJob", "[\"gate\"]");
            place.await("it runs", () -> place.ledger().count("start", "GateJob") == 1);
            long fork = place.ledger().byPid("start").keySet().iterator().next();
            assertThat(heap(place, "--child", "" + fork).log())
                    .contains("is no child of the runner");

            Object user = Files.getAttribute(folder, "unix:uid");
            Path open = Files.createDirectory(folder.resolve("mawashi-" + user + "-dumps"));
            Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
            assertThat(heap(place).log())
                    .contains("no heap: the heap cannot be written: cannot use " + open)
                    .contains("it is not a folder that this user alone may enter");
            assertThat(open).isEmptyDirectory();
            place.open("gate");
            server.signal("TERM");
            assertThat(server.awaitExit()).as(server::log).isZero();
        }
    }
}
