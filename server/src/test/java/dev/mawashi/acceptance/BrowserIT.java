package dev.mawashi.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// `mawashi web` beside a server that works, in a real Chromium.
final class BrowserIT {
    private static final Pattern URL = Pattern.compile("the page is at (http://\\S+)");
    private static final Path IMAGES = Path.of("target/pages");

    @TempDir private static Path folder;
    private static Workplace place;
    private static Child web;
    private static String url = "";

    @BeforeAll
    static void start() throws IOException {
        place = new Workplace(folder);
        place.pushJobs(3, "held", "GateJob", "[\"gate\"]");
        place.pushJobs(2, "raises", "DoomedJob", "[\"<b>luck</b>\"],\"retry\":3");
        Child server = place.run(Workplace.NO_GEMS, "-c", "5");
        place.await("three run", () -> place.ledger().count("start", "GateJob") == 3);
        place.await("two failed", () -> place.number("ZCARD", "retry") == 2);
        place.await("a beat tells", () -> !place.strings("KEYS", "*:work").isEmpty());
        assertThat(server.isAlive()).isTrue();
        web = place.mawashi(Map.of(), "web", "0").awaitLog("the page is at ");
        Matcher matcher = URL.matcher(web.log());
        assertThat(matcher.find()).isTrue();
        url = matcher.group(1);
        Files.createDirectories(IMAGES);
    }

    @AfterAll
    static void close() {
        place.close();
    }

    /// What Chromium printed: the page once its scripts have run, and what its console said.
    private static String[] browse(String path, int width, String... more) {
        try {
            Path profile = Files.createTempDirectory(folder, "chromium");
            List<String> command =
                    new ArrayList<>(
                            List.of(
                                    "chromium",
                                    "--headless",
                                    "--no-sandbox",
                                    "--disable-gpu",
                                    "--disable-quic",
                                    "--no-first-run",
                                    "--disable-background-networking",
                                    "--disable-component-update",
                                    "--disable-sync",
                                    "--hide-scrollbars",
                                    "--enable-logging=stderr",
                                    "--user-data-dir=" + profile,
                                    "--window-size=" + width + ",900"));
            command.addAll(List.of(more));
            command.add(url + path);
            Path errors = profile.resolve("stderr");
            Process chromium = new ProcessBuilder(command).redirectError(errors.toFile()).start();
            String dom =
                    new String(chromium.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(chromium.waitFor()).isZero();
            String console =
                    Files.readString(errors)
                            .lines()
                            .filter(line -> line.contains("CONSOLE"))
                            .reduce("", (a, b) -> a + b + "\n");
            return new String[] {dom, console};
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/,Queues that wait longest",
        "/queues,default",
        "/queues/default,Arguments have",
        "/busy,GateJob",
        "/retries,DoomedJob",
        "/scheduled,Nothing is here",
        "/dead,Nothing is here",
        "/processes,works",
    })
    void eachPageIsThereAndItsConsoleIsSilent(String path, String shown) {
        String[] told = browse(path, 1_200, "--dump-dom");

        assertThat(told[0]).contains(shown, "Mawashi");
        assertThat(told[1]).isEmpty();
    }

    /// By its style sheet and its script; were one of them refused, the console would say so.
    @Test
    void pagesHaveTheirPictures() throws IOException {
        for (String page : List.of("overview", "busy", "retries", "processes")) {
            String path = page.equals("overview") ? "/" : "/" + page;
            for (int width : List.of(360, 1_200)) {
                Path image = IMAGES.resolve(page + "-" + width + ".png").toAbsolutePath();
                Files.deleteIfExists(image);
                String[] told = browse(path, width, "--screenshot=" + image);
                assertThat(told[1]).isEmpty();
                assertThat(Files.size(image)).isGreaterThan(5_000);
            }
        }
    }

    @Test
    void aTermEndsItWithSuccess() {
        Child other = place.mawashi(Map.of(), "web", "0").awaitLog("the page is at ");
        other.signal("TERM");

        assertThat(other.awaitExit()).isZero();
    }

    @Test
    void atAnotherAddressItWantsASecretAndAPortThatIsTakenIsOneLine() {
        Child open = place.mawashi(Map.of(), "web", "0.0.0.0:0");
        assertThat(open.awaitExit()).isEqualTo(2);
        assertThat(open.logLines()).singleElement().asString().contains("MAWASHI_WEB_VIEWER");

        Child taken = place.mawashi(Map.of(), "web", url.replaceFirst(".*:", ""));
        assertThat(taken.awaitExit()).isOne();
        assertThat(taken.logLines()).singleElement().asString().contains("cannot listen at");
    }
}
