package dev.mawashi.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.texts.Texts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/// The lines of the guide's page on deploys, and of the files that it names, as they stand there
/// and on real servers. Only paths, pids and the app are the test's.
final class DeployRecipesIT {
    private static final String PAGE = Texts.read(Texts.GUIDE.resolve("deploy.md"));
    private static final Path EXAMPLES = Texts.ROOT.resolve("examples/deploy");
    private static final Pattern RELOAD = Pattern.compile("(?m)^ +ExecReload=(.*)$");
    private static final Pattern CAPISTRANO =
            Pattern.compile("(?s)## Capistrano\n.*?:\n\n((?:    [^\n]*\n|\n)+)");

    private static final Pattern WORKER = Pattern.compile("(?m)^worker: (.*)$");

    @TempDir Path folder;

    private static Child server(Releases app) {
        return app.server("--runner", "mri", "-c", "2", "-t", "1");
    }

    private static String found(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        assertThat(matcher.find()).isTrue();
        return matcher.group(1);
    }

    private static void awaitBeat(Workplace place) {
        place.await("it is seen", () -> place.number("SCARD", "processes") == 1);
    }

    /// A program that is `mawashi`.
    private static Path launcher(Path file) throws IOException {
        String words =
                Programs.mawashiCommand().stream()
                        .map(word -> "'" + word + "'")
                        .collect(Collectors.joining(" "));
        Files.createDirectories(file.getParent());
        Files.writeString(file, "#!/bin/sh\nexec " + words + " \"$@\"\n");
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static Child shell(Workplace place, String line) {
        return place.start("sh", List.of("sh", "-c", line), Map.of());
    }

    /// Long: three boots; RestartIT has the restart.
    @Tag("long")
    @Test
    void aReloadOfTheUnitBringsNewCodeAndFailsIfThatDoesNotBoot() throws IOException {
        try (Workplace place = new Workplace(folder)) {
            Releases app = new Releases(place, "");
            Child server = server(app);
            awaitBeat(place);
            String host = Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
            String reload =
                    found(RELOAD, PAGE)
                            .replace(
                                    "/opt/mawashi/mawashi",
                                    launcher(folder.resolve("m")).toString())
                            .replace("%H", host)
                            .replace("${MAINPID}", "" + server.pid());
            app.release("raise \"no\"");
            Child broken = shell(place, reload);
            assertThat(broken.awaitExit()).as(broken::log).isEqualTo(1);

            app.release("");
            Child good = shell(place, reload);
            assertThat(good.awaitExit()).as(good::log).isZero();
            server.awaitLog("restart: generation 2 takes the jobs");
            place.pushJobs(1, "new", "CodeJob", "[]");
            place.await("new code runs it", () -> app.count("end", 3) == 1);
        }
    }

    /// Long: two generations; RestartIT has the restart.
    @Tag("long")
    @Test
    void capistranosTaskRestartsTheServerInItsCurrentFolder() throws IOException {
        try (Workplace place = new Workplace(folder)) {
            Releases app = new Releases(place, "");
            Child server = server(app);
            awaitBeat(place);
            String recipe =
                    found(CAPISTRANO, PAGE)
                            .replace(
                                    "/opt/mawashi/mawashi",
                                    launcher(folder.resolve("m")).toString());
            Path file = Files.writeString(folder.resolve("deploy.rb"), recipe);
            app.release("raise \"no\"");
            Child broken = place.script("capistrano.rb", file.toString(), place.redisUrl());
            assertThat(broken.awaitExit()).as(broken::log).isEqualTo(1);

            app.release("");
            Child good = place.script("capistrano.rb", file.toString(), place.redisUrl());
            assertThat(good.awaitExit()).as(good::log).isZero();
            assertThat(good.log()).contains("1 restarted");
            server.awaitLog("restart: generation 2 takes the jobs");
        }
    }

    @Test
    void thePreStopLineQuietsAServer() throws IOException {
        String yaml = Files.readString(EXAMPLES.resolve("kubernetes.yaml"));
        Object at = new Load(LoadSettings.builder().build()).loadFromString(yaml);
        for (Object step :
                List.of(
                        "spec",
                        "template",
                        "spec",
                        "containers",
                        0,
                        "lifecycle",
                        "preStop",
                        "exec")) {
            at = step instanceof Integer i ? ((List<?>) at).get(i) : ((Map<?, ?>) at).get(step);
        }
        List<String> command = new ArrayList<>();
        ((List<?>) ((Map<?, ?>) at).get("command")).forEach(word -> command.add(word.toString()));
        assertThat(command.getLast()).endsWith(" 1");
        try (Workplace place = new Workplace(folder)) {
            Child server = place.runOnMri(Workplace.NO_GEMS, "-c", "1").awaitLog("working on");
            command.add(command.removeLast().replaceFirst("1$", "" + server.pid()));

            Child stop = place.start("preStop", command, Map.of());

            assertThat(stop.awaitExit()).as(stop::log).isZero();
            server.awaitLog("TSTP: claiming no more");
            server.signal("TERM");
            assertThat(server.awaitExit()).as(server::log).isZero();
        }
    }

    @Test
    void theProcfilesLineRunsJobsAndStops() throws IOException {
        String line = found(WORKER, Files.readString(EXAMPLES.resolve("Procfile")));
        Path shop = Files.createDirectories(folder.resolve("shop"));
        launcher(shop.resolve("bin/mawashi"));
        // What the line takes for a Rails app without its own rails.
        Files.createDirectories(shop.resolve("config"));
        Files.writeString(shop.resolve("config/application.rb"), "");
        Files.writeString(
                shop.resolve("config/environment.rb"), "require \"" + Workplace.APP + "\"\n");
        Files.writeString(shop.resolve("rails.rb"), "module Rails; end\n");
        try (Workplace place = new Workplace(folder)) {
            Child server =
                    place.start(
                            "sh",
                            List.of("sh", "-c", "cd " + shop + " && exec " + line),
                            Map.of("RUBYLIB", shop.toString()));
            server.awaitLog("working on");
            place.pushJobs(3, "job", "PlainJob", "[]");
            place.await("they ran", () -> place.ledger().byJid("end").size() == 3);
            server.signal("TERM");
            assertThat(server.awaitExit()).as(server::log).isZero();
        }
    }
}
