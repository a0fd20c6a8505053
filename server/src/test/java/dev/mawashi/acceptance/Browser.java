package dev.mawashi.acceptance;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.logging.Level;
import java.util.stream.Stream;
import org.openqa.selenium.By;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;
import org.openqa.selenium.support.ui.WebDriverWait;

/// A real Chromium that shows the pages of one server.
final class Browser implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final String url;
    private final ChromeDriver driver;

    /// @param url of the server, without a slash at the end
    Browser(String url) {
        this.url = url;
        ChromeDriverService service =
                new ChromeDriverService.Builder()
                        .usingDriverExecutable(program("chromedriver").toFile())
                        .build();
        driver = new ChromeDriver(service, options());
    }

    private static Path program(String name) {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .map(folder -> Path.of(folder, name))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no " + name + " on PATH"));
    }

    private static ChromeOptions options() {
        ChromeOptions options = new ChromeOptions();
        options.setBinary(program("chromium").toString());
        options.addArguments(
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--hide-scrollbars");
        LoggingPreferences logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, Level.ALL);
        options.setCapability(ChromeOptions.LOGGING_PREFS, logs);
        return options;
    }

    /// Shows pages as wide as this, in light or dark.
    void size(int width, int height, boolean isDark) {
        driver.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of(
                        "width",
                        width,
                        "height",
                        height,
                        "deviceScaleFactor",
                        1,
                        "mobile",
                        width < 600));
        Map<String, String> scheme =
                Map.of("name", "prefers-color-scheme", "value", isDark ? "dark" : "light");
        driver.executeCdpCommand("Emulation.setEmulatedMedia", Map.of("features", List.of(scheme)));
    }

    /// Whether pages may run scripts. Those of `run` do all the same.
    void scripts(boolean mayRun) {
        driver.executeCdpCommand("Emulation.setScriptExecutionDisabled", Map.of("value", !mayRun));
    }

    void open(String path) {
        driver.get(url + path);
    }

    /// The path and query of the page that is shown.
    String path() {
        return String.valueOf(driver.getCurrentUrl()).substring(url.length());
    }

    /// What a person reads on the page.
    String text() {
        return driver.findElement(By.tagName("body")).getText();
    }

    /// The first element of a CSS selector.
    WebElement find(String css) {
        return driver.findElement(By.cssSelector(css));
    }

    List<WebElement> all(String css) {
        return driver.findElements(By.cssSelector(css));
    }

    /// Waits until the page reads so. One that gives way to another meanwhile is read again.
    void awaitText(String part) {
        new WebDriverWait(driver, PATIENCE)
                .ignoring(StaleElementReferenceException.class)
                .withMessage(() -> "no \"" + part + "\" in: " + text())
                .until(_ -> text().contains(part));
    }

    /// Waits until a script's expression is true in the page.
    void await(String expression) {
        new WebDriverWait(driver, PATIENCE)
                .withMessage(expression)
                .until(_ -> Boolean.TRUE.equals(run("return Boolean(" + expression + ")")));
    }

    /// Runs a script in the page.
    ///
    /// @param arguments its `arguments`
    Object run(String script, Object... arguments) {
        return Objects.requireNonNullElse(driver.executeScript(script, arguments), "");
    }

    /// Types keys as if no field had the focus.
    void keys(String keys) {
        find("body").sendKeys(keys);
    }

    /// What the console has said since it was asked last: errors, and what the content security
    /// policy refused.
    List<String> console() {
        return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
                .map(entry -> entry.getLevel() + " " + entry.getMessage())
                .toList();
    }

    /// How far the page reaches beyond the window's right edge, in pixels.
    long overflow() {
        return (Long)
                run(
                        "return document.documentElement.scrollWidth"
                                + " - document.documentElement.clientWidth");
    }

    void picture(Path file) {
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            Files.write(file, driver.getScreenshotAs(OutputType.BYTES));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        driver.quit();
    }
}
