package dev.mawashi.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
    private static Browser browser;
    private static String url = "";

    @BeforeAll
    static void start() throws IOException {
        place = new Workplace(folder);
        place.pushJobs(3, "held", "GateJob", "[\"gate\"]");
        place.pushJobs(2, "raises", "DoomedJob", "[\"<b>luck</b>\"],\"retry\":3");
        Child server = place.runOnMri(Workplace.NO_GEMS, "-c", "5");
        place.await("three run", () -> place.ledger().count("start", "GateJob") == 3);
        place.await("two failed", () -> place.number("ZCARD", "retry") == 2);
        place.await("a beat tells", () -> !place.strings("KEYS", "*:work").isEmpty());
        assertThat(server.isAlive()).isTrue();
        Child web = place.mawashi(Map.of(), "web", "0").awaitLog("the page is at ");
        Matcher matcher = URL.matcher(web.log());
        assertThat(matcher.find()).isTrue();
        url = matcher.group(1);
        browser = new Browser(url);
    }

    @AfterAll
    static void close() {
        browser.close();
        place.close();
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
        browser.size(1_200, 900, false);
        browser.open(path);

        browser.awaitText(shown);
        assertThat(browser.text()).contains("Mawashi");
        assertThat(browser.console()).isEmpty();
    }

    /// By its style sheet and its script; were one of them refused, the console would say so.
    @Test
    void pagesHaveTheirPictures() throws IOException {
        for (String page : List.of("overview", "busy", "retries", "processes")) {
            String path = page.equals("overview") ? "/" : "/" + page;
            for (int width : List.of(360, 1_200)) {
                Path image = IMAGES.resolve(page + "-" + width + ".png").toAbsolutePath();
                Files.deleteIfExists(image);
                browser.size(width, 900, false);
                browser.open(path);
                browser.picture(image);
                assertThat(browser.console()).isEmpty();
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
