package dev.mawashi.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.WebElement;

/// Every button of the pages, pressed in a real Chromium, of a server that has work to do. The last
/// test holds what was pressed against the buttons that the pages have shown.
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Tag("long")
final class PageButtonsIT {
    /// So many that to look at each takes longer than a request may.
    private static final int MANY = 400_000;

    @TempDir private static Path folder;
    private static Shop shop;
    private static Browser browser;

    /// What buttons of forms ask the server for, names left out.
    private static final TreeSet<String> shown = new TreeSet<>();

    private static final TreeSet<String> pressed = new TreeSet<>();

    @BeforeAll
    static void start() {
        shop = new Shop(folder);
        for (int i = 0; i < 20; i++) {
            shop.place().number("ZADD", "retry", String.valueOf(now() + 604_800), job("later" + i));
            shop.place().number("ZADD", "dead", String.valueOf(now() - i), job("dead" + i));
        }
        browser = new Browser(shop.url());
        browser.size(1_200, 900, false);
    }

    @AfterAll
    static void close() {
        browser.close();
        shop.close();
    }

    private static long now() {
        return Instant.now().getEpochSecond();
    }

    private static String job(String jid) {
        return """
        {"class":"Shop::Kept","queue":"low","args":["%s"],"jid":"%s","created_at":1795225660717,\
        "error_class":"IOError","error_message":"gone","retry":5}\
        """
                .formatted(jid, jid);
    }

    private static void open(String path) {
        browser.open(path);
        look();
    }

    private static void look() {
        Object actions =
                browser.run(
                        """
                        return [...document.querySelectorAll('form[method=post] button:not([hidden])')]
                          .map((one) => one.getAttribute('formaction') ?? one.form.getAttribute('action'));
                        """);
        ((List<?>) actions).forEach(action -> shown.add(kind((String) action)));
    }

    private static String kind(String action) {
        return action.replaceAll("/(queues|processes|acts)/[^/]+/(\\w)", "/$1/*/$2");
    }

    /// Presses a button, says yes if that is asked, and waits until the page tells what it came to.
    private static void press(WebElement button, String told) {
        String own = button.getDomAttribute("formaction");
        pressed.add(
                kind(
                        own == null
                                ? (String)
                                        browser.run(
                                                "return arguments[0].form.getAttribute('action')",
                                                button)
                                : own));
        button.click();
        if (!browser.all("dialog#ask[open]").isEmpty()) {
            browser.find("dialog#ask[open] button.danger").click();
        }
        browser.awaitText(told);
        look();
        assertThat(browser.console()).isEmpty();
    }

    private static WebElement button(String text) {
        return browser.all("main button").stream()
                .filter(one -> one.getText().equals(text))
                .findFirst()
                .orElseThrow(() -> new AssertionError(text + " in " + browser.text()));
    }

    @ParameterizedTest
    @CsvSource({
        "/scheduled?class=Shop::OrderMailer, Run now, , , 1 job of the schedule was enqueued.",
        "/scheduled?class=Shop::OrderMailer, Bury, , , 1 job of the schedule was buried",
        "/scheduled?class=Shop::OrderMailer, Delete, , , 1 job of the schedule was deleted.",
        "/scheduled?class=Shop::OrderMailer, Reschedule, in, 2h, 1 job of the schedule was"
                + " rescheduled.",
        "/scheduled?class=Shop::OrderMailer, Run there, to, low, 1 job of the schedule was requeued"
                + " to queue low.",
        "/retries?class=Shop::Kept&text=later, Retry now, , , 1 job of the retries was retried.",
        "/retries?class=Shop::Kept&text=later, Bury, , , 1 job of the retries was buried.",
        "/retries?class=Shop::Kept&text=later, Delete, , , 1 job of the retries was deleted.",
        "/retries?class=Shop::Kept&text=later, Reschedule, in, 2h, 1 job of the retries was rescheduled.",
        "/retries?class=Shop::Kept&text=later, Run there, to, low, 1 job of the retries was requeued to queue"
                + " low.",
        "/dead?class=Shop::Kept, Retry now, , , 1 job of the dead set was retried.",
        "/dead?class=Shop::Kept, Delete, , , 1 job of the dead set was deleted.",
        "/dead?class=Shop::Kept, Run there, to, low, 1 job of the dead set was requeued to queue"
                + " low.",
        "/queues/low, Delete, , , 1 job of queue low was deleted.",
        "/queues/low, Move, to, attic, 1 job of queue low was moved to queue attic."
    })
    void aChosenJobIs(String path, String name, String field, String value, String told) {
        open(path);
        browser.keys("jx");
        if (field != null) {
            browser.find(".actbar input[name=" + field + "]").sendKeys(value);
        }
        press(button(name), told);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/scheduled", "/retries", "/dead"})
    void theSameIsDoneFromAJobsOwnPage(String path) {
        open(path + "?class=" + (path.equals("/scheduled") ? "Shop::OrderMailer" : "Shop::Kept"));
        browser.find(".rows tbody a").click();
        browser.awaitText("The payload as it is in Redis");
        look();

        press(button("Delete"), "1 job of");
    }

    @Test
    void whatWasDeletedIsPutBack() {
        long before = dead();
        open("/dead?class=Shop::Kept");
        browser.keys("jx");
        press(button("Delete"), "1 job of the dead set was deleted.");
        assertThat(dead()).isEqualTo(before - 1);
        press(button("Undo"), "1 job of the dead set was put back.");
        assertThat(dead()).isEqualTo(before);

        open("/dead?class=Shop::Kept");
        browser.keys("jx");
        press(button("Delete"), "1 job of the dead set was deleted.");
        open("/audit");
        press(button("Undo"), "1 job of the dead set was put back.");
        assertThat(dead()).isEqualTo(before);
    }

    private static long dead() {
        return shop.place().number("ZCARD", "dead");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/queues", "/queues/low"})
    void aQueueIsPausedAndGoesOn(String path) {
        open(path);
        press(lowButton("pause"), "Queue low is paused.");
        assertThat(shop.place().number("SISMEMBER", "paused", "low")).isOne();

        press(lowButton("unpause"), "Queue low is served again.");
        assertThat(shop.place().number("SISMEMBER", "paused", "low")).isZero();
    }

    private static WebElement lowButton(String act) {
        return browser.find("form[action$='/queues/low/" + act + "'] button");
    }

    @ParameterizedTest
    @CsvSource({
        "/queues/full, LLEN, queue:full",
        "/retries, ZCARD, retry",
        "/scheduled, ZCARD, schedule",
        "/dead, ZCARD, dead"
    })
    void allOfAPlaceIsDeleted(String path, String count, String key) {
        shop.place().push("full", List.of(job("full").getBytes(UTF_8)));
        open(path);
        long before = shop.place().number(count, key);
        press(button("Clear"), "deleted.");

        // In the shop jobs go on to fail.
        long after = shop.place().number(count, key);
        assertThat(after).isLessThan(before);
        press(button("Undo"), "put back.");
        assertThat(shop.place().number(count, key)).isGreaterThan(after);
    }

    @Test
    void aChangeThatTakesLongIsEnded() {
        shop.place()
                .number(
                        "EVAL",
                        "for i = 1, ARGV[1] do redis.call('RPUSH', KEYS[1],"
                                + " (ARGV[2]:gsub('many', 'many' .. i))) end"
                                + " return redis.call('SADD', 'queues', 'many')",
                        "1",
                        "queue:many",
                        String.valueOf(MANY),
                        job("many"));
        open("/queues/many?class=Shop::Kept");
        browser.find(".which input[value=matching]").click();
        press(button("Delete"), "goes on");
        press(button("End it"), "; then it was ended.");

        assertThat(shop.place().number("LLEN", "queue:many")).isBetween(1L, MANY - 1L);
        press(button("Undo"), "put back.");
    }

    @Test
    void recordsOfResqueAreEnqueuedAgainAndRemoved() {
        open("/failed?error=ENOSPC");
        press(button("Enqueue again"), "12 jobs of Resque's failures were requeued");
        assertThat(shop.place().number("LLEN", "resque:queue:archive")).isEqualTo(12);

        open("/failed?error=ENOSPC");
        press(button("Remove"), "12 jobs of Resque's failures were removed");
        assertThat(shop.place().number("LLEN", "resque:failed")).isZero();
    }

    @Test
    void aRunningJobIsCancelled() {
        open("/busy");
        browser.awaitText("stock.csv");
        press(browser.find("form[action$='/busy/cancel'] button"), "Job ");

        assertThat(shop.place().strings("LRANGE", "mw:audit", "0", "0"))
                .singleElement()
                .satisfies(line -> assertThat(Workplace.text(line)).contains("cancel"));
    }

    @Test
    void aPageIsFilteredAndLivePlotsAndThemeAreSwitched() {
        open("/dead");
        browser.find(".filter input[name=class]").sendKeys("Shop::Kept");
        button("Filter").click();
        browser.await("location.search.includes('class=Shop')");
        assertThat(browser.text()).contains("Shop::Kept").doesNotContain("Shop::WeeklyReport");

        browser.open("/");
        browser.await("document.getElementById('live').textContent === 'live'");
        browser.find("#live").click();
        browser.await("document.getElementById('live').textContent !== 'live'");
        button("8 h").click();
        browser.await("document.querySelector('button[value=\"8h\"]').ariaPressed === 'true'");
        button("1 h").click();
        button("15 min").click();
        browser.await("document.querySelectorAll('canvas').length === 4");
        for (String theme : List.of("light", "dark", "auto")) {
            browser.find("button.theme").click();
            assertThat(browser.find("button.theme").getText()).isEqualTo("theme: " + theme);
        }
        assertThat(browser.console()).isEmpty();
    }

    /// Where no script asks, a page does.
    @Test
    void withoutScriptsAPageAsksAndANoChangesNothing() {
        browser.scripts(false);
        try {
            browser.open("/scheduled");
            button("Clear").click();
            browser.awaitText("Delete all");
            browser.find("form.ask a").click();
            browser.awaitText("Shop::OrderMailer");
            long before = shop.place().number("ZCARD", "schedule");
            assertThat(before).isPositive();

            button("Clear").click();
            browser.awaitText("Delete all");
            browser.find("form.ask button").click();
            browser.awaitText(before + " jobs of the schedule were deleted.");
            button("Undo").click();
            browser.awaitText("put back.");
        } finally {
            browser.scripts(true);
        }
    }

    @Test
    @Order(Integer.MAX_VALUE - 1)
    void processesAreToldToBeQuietAndToStop() {
        shop.place().runOnMri(Workplace.NO_GEMS, "-q", "other");
        shop.place().runOnMri(Workplace.NO_GEMS, "-q", "other");
        awaitProcesses(3);
        open("/processes");
        press(button("Quiet"), "will take no more jobs at its next beat.");
        open("/processes");
        press(button("Quiet all"), "3 processes will take no more jobs at their next beat.");
        shop.place().await("none offers a restart any more", () -> quietProcesses() == 3);
        open("/processes");
        browser.find(".rows tbody a").click();
        browser.awaitText("Lease");
        look();
        press(button("Stop"), "will end at its next beat.");
        awaitProcesses(2);
        open("/processes");
        press(button("Stop all"), "2 processes will end at their next beat.");
        awaitProcesses(0);
    }

    private static long quietProcesses() {
        return shop.place().strings("SMEMBERS", "processes").stream()
                .map(one -> shop.place().bytes("HGET", Workplace.text(one), "quiet"))
                .filter(quiet -> Workplace.text(quiet).equals("true"))
                .count();
    }

    private static void awaitProcesses(int count) {
        shop.place()
                .await(
                        count + " processes beat",
                        () -> shop.place().number("SCARD", "processes") == count);
    }

    @Test
    @Order(Integer.MAX_VALUE)
    void everyButtonThatPagesShowWasPressed() {
        for (String path : List.of("/", "/classes", "/jvm", "/redis", "/audit", "/failed")) {
            open(path);
        }
        assertThat(pressed).isEqualTo(shown);
    }
}
