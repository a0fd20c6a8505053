package dev.mawashi.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a person presses on the pages, in a real Chromium, of a server that has work to do.
final class PageActsIT {
    @TempDir private static Path folder;
    private static Shop shop;
    private static Browser browser;

    @BeforeAll
    static void start() {
        shop = new Shop(folder);
        browser = new Browser(shop.url());
        browser.size(1_200, 900, false);
    }

    @AfterAll
    static void close() {
        browser.close();
        shop.close();
    }

    private static long dead() {
        return shop.place().number("ZCARD", "dead");
    }

    @Test
    void figuresChangeWithoutAReload() {
        browser.open("/");
        browser.run(
                "window.mark = 1; window.before = document.querySelector("
                        + "'[data-figure=processed]').textContent");
        browser.await(
                "document.querySelector('[data-figure=processed]').textContent"
                        + " !== window.before");
        browser.await("document.querySelectorAll('canvas').length === 4");

        assertThat(browser.run("return window.mark")).isEqualTo(1L);
        assertThat(browser.console()).isEmpty();
    }

    @Test
    void withoutScriptsPagesShowAndActToo() {
        browser.scripts(false);
        try {
            browser.open("/dead");
            long before = dead();
            browser.find(".rows tbody input[type=checkbox]").click();
            browser.find(".actbar button[formaction$='/delete']").click();
            browser.awaitText("Undo");
            assertThat(dead()).isEqualTo(before - 1);

            browser.find(".flash form button").click();
            shop.place().await("it is back", () -> dead() == before);
        } finally {
            browser.scripts(true);
        }
    }

    /// As it would get in if a name that an app writes were not escaped.
    @Test
    void codeThatGetsIntoAPageDoesNotRun() {
        browser.open("/dead");
        browser.run(
                """
                window.hits = 0;
                document.body.insertAdjacentHTML('beforeend', `
                  <img src="/static/none" onerror="hits++">
                  <iframe srcdoc="<script>parent.hits++</script>"></iframe>
                  <a id="link" href="javascript:hits++">x</a>
                  <form id="away" action="http://127.0.0.1:1/" method="post"></form>
                  <style>body { display: none }</style>`);
                const script = document.createElement('script');
                script.textContent = 'hits++';
                document.body.append(script);
                document.getElementById('link').click();
                document.getElementById('away').submit();
                """);

        List<String> refused = new ArrayList<>();
        shop.place()
                .await(
                        "each is refused",
                        () -> {
                            refused.addAll(browser.console());
                            return refused.stream()
                                            .filter(line ->
                                                    line.contains("Content Security Policy"))
                                            .count()
                                    >= 6;
                        });
        assertThat(browser.run("return window.hits")).isEqualTo(0L);
        assertThat(browser.path()).isEqualTo("/dead");
        assertThat(browser.text()).contains("ZeroDivisionError");
    }
}
