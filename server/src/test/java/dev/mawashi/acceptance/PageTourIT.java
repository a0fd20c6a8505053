package dev.mawashi.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.Eventually;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Every page in a real Chromium, of a server that has work to do: light, dark, and as narrow as a
/// phone. Its pictures are the guide's (CONTRIBUTING.md).
@Tag("long")
final class PageTourIT {
    private static final Path PICTURES =
            Path.of(System.getProperty("pictures", "target/pages")).toAbsolutePath();

    /// How much has run when the guide's pictures are made: some minutes' work, so that plots have
    /// something to show.
    private static final long RUNS_TO_SHOW = 15_000;

    @TempDir private static Path folder;
    private static Shop shop;
    private static Browser browser;

    @BeforeAll
    static void start() {
        shop = new Shop(folder);
        browser = new Browser(shop.url());
        if (System.getProperty("pictures") != null) {
            Eventually.until(
                    "the shop has done some minutes' work",
                    Duration.ofMinutes(20),
                    () -> shop.place().integer("GET", "stat:processed") >= RUNS_TO_SHOW);
        }
    }

    @AfterAll
    static void close() {
        browser.close();
        shop.close();
    }

    /// Name of its pictures, its path, and what a reader must find there.
    private static Stream<Arguments> pages() {
        return Stream.of(
                Arguments.of("queues", "/queues", "mailers"),
                Arguments.of("queue", "/queues/low", "Shop::WeeklyReport"),
                Arguments.of("busy", "/busy", "Shop::LongImport"),
                Arguments.of("retries", "/retries", "Shop::ChargeCard"),
                Arguments.of("scheduled", "/scheduled", "Shop::OrderMailer"),
                Arguments.of("dead", "/dead", "ZeroDivisionError"),
                Arguments.of("failed", "/failed", "Shop::Archive"),
                Arguments.of("classes", "/classes?period=15m", "Shop::ResizeImage"),
                Arguments.of("class", "/classes/Shop::ChargeCard?period=15m", "Shop::ChargeCard"),
                Arguments.of("processes", "/processes", "works"),
                Arguments.of("jvm", "/jvm", "Java virtual machines"),
                Arguments.of("redis", "/redis", "Round trip"),
                Arguments.of("audit", "/audit", "Nobody has changed"),
                // Last, so that its plots have some seconds at least.
                Arguments.of("overview", "/", "Waited, last 15 min"));
    }

    @ParameterizedTest
    @MethodSource("pages")
    void aPageIsWholeInLightInDarkAndOnAPhone(String name, String path, String shown) {
        for (Look look : Look.values()) {
            browser.size(look.width, look.height, look.isDark);
            browser.open(path);
            browser.awaitText(shown);

            browser.picture(PICTURES.resolve(name + look.suffix + ".png"));
            assertThat(browser.console()).as(look.name()).isEmpty();
            assertThat(browser.overflow()).as(look.name()).isZero();
        }
    }

    /// As what a page is looked at.
    private enum Look {
        LIGHT("", 1_200, 900, false),
        DARK("-dark", 1_200, 900, true),
        PHONE("-phone", 360, 780, false);

        private final String suffix;
        private final int width;
        private final int height;
        private final boolean isDark;

        Look(String suffix, int width, int height, boolean isDark) {
            this.suffix = suffix;
            this.width = width;
            this.height = height;
            this.isDark = isDark;
        }
    }

    @Test
    void aFailedJobHasAPageThatIsWholeToo() {
        browser.open("/dead");
        browser.find(".rows tbody a").click();

        aPageIsWholeInLightInDarkAndOnAPhone("job", browser.path(), "no visitors in week");
    }

    @Test
    void aProcessAndAJobThatRunsHavePagesThatAreWholeToo() {
        browser.open("/processes");
        browser.find(".rows tbody a").click();
        aPageIsWholeInLightInDarkAndOnAPhone("process", browser.path(), "Lease");

        browser.open("/busy");
        browser.find(".rows tbody a[href^='/busy/']").click();
        aPageIsWholeInLightInDarkAndOnAPhone("stack", browser.path(), "sleep");
    }

    @ParameterizedTest
    @MethodSource("pages")
    void nothingIsLoadedFromElsewhere(String name, String path, String shown) {
        browser.open(path);

        Object loaded =
                browser.run("return performance.getEntriesByType('resource').map(one => one.name)");
        assertThat((List<?>) loaded)
                .as(name)
                .isNotEmpty()
                .allSatisfy(one -> assertThat((String) one).startsWith(shop.url()));
    }
}
