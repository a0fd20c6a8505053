package dev.mawashi.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.config.MawashiFile;
import dev.mawashi.config.RunnerChoice;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class InitCommandTest {
    private static final long SECONDS_MAX = 60;

    @TempDir private Path folder;

    private Path app;
    private String out = "";
    private String err = "";

    @BeforeEach
    void makeRailsApp() throws IOException {
        app = Files.createDirectory(folder.resolve("my shop"));
        write("config/application.rb", "");
    }

    @Test
    void aRailsAppGetsItsFilesAndIsTold() throws IOException {
        assertThat(init()).isEqualTo(Main.DONE);

        assertThat(out)
                .isEqualTo(
                        """
                        config/mawashi.yml  written; as it is it changes nothing
                        bin/mawashi         written; calls this machine's Mawashi
                        Procfile            has one line more: worker: bin/mawashi run

                        Next: bin/mawashi run
                        """);
        assertThat(app.resolve("bin/mawashi")).isExecutable();
        assertThat(app.resolve("Procfile")).hasContent("worker: bin/mawashi run\n");
        assertThat(MawashiFile.read(app.resolve("config/mawashi.yml")))
                .isEqualTo(RunnerChoice.NONE);
    }

    @Test
    void whatIsThereStaysAsItIs() throws IOException {
        write("config/mawashi.yml", "runner: fork\n");
        write("bin/mawashi", "mine\n");
        write("Procfile", "jobs: mawashi run -q high");

        assertThat(init()).isEqualTo(Main.DONE);

        assertThat(out.lines().filter(line -> line.endsWith("stays as it is"))).hasSize(3);
        assertThat(app.resolve("config/mawashi.yml")).hasContent("runner: fork\n");
        assertThat(app.resolve("bin/mawashi")).hasContent("mine\n");
        assertThat(app.resolve("Procfile")).hasContent("jobs: mawashi run -q high");
    }

    @Test
    void aProcfileKeepsItsLinesAndAWorkerItsName() throws IOException {
        write("Procfile", "web: bin/puma\nworker: bundle exec sidekiq");

        assertThat(init()).isEqualTo(Main.DONE);

        assertThat(out).contains("(its line worker: starts what it did)");
        assertThat(app.resolve("Procfile"))
                .hasContent(
                        "web: bin/puma\nworker: bundle exec sidekiq\nmawashi: bin/mawashi run\n");
    }

    @Test
    void aPlainAppsProgramIsNamed() throws IOException {
        Files.delete(app.resolve("config/application.rb"));
        write("app.rb", "");

        assertThat(init()).isEqualTo(Main.DONE);

        assertThat(app.resolve("Procfile")).hasContent("worker: bin/mawashi run -r ./app.rb\n");
    }

    @Test
    void aFolderWithoutAnAppIsLeftAlone() throws IOException {
        Files.delete(app.resolve("config/application.rb"));

        assertThat(init()).isEqualTo(Main.WRONG_USE);

        assertThat(err).contains("my shop holds no app").hasLineCount(1);
        assertThat(app).isDirectoryNotContaining("glob:**Procfile");
    }

    @Test
    void whatCannotBeWrittenIsOneLine() throws IOException {
        write("bin", "no folder");

        assertThat(init()).isEqualTo(Main.FAILED);

        assertThat(err).startsWith("mawashi: cannot write ").contains("bin").hasLineCount(1);
    }

    /// Neither itself on `PATH` nor another binstub is taken for one.
    @Test
    void theBinstubCallsTheInstalledMawashiInTheAppsFolder() throws Exception {
        init();
        Path release = folder.resolve("a release");
        Files.createDirectories(release.resolve("bin"));
        Files.createFile(release.resolve("bin/find-jdk.sh"));
        Path launcher = release.resolve("mawashi");
        Files.writeString(launcher, "#!/bin/sh\necho \"$(pwd -P)|$0|$*\"\n");
        assertThat(launcher.toFile().setExecutable(true)).isTrue();
        Files.createSymbolicLink(
                Files.createDirectory(folder.resolve("links")).resolve("mawashi"), launcher);

        String path = app.resolve("bin") + ":" + folder.resolve("links") + ":/usr/bin:/bin";
        assertThat(binstub(Map.of("PATH", path)))
                .isEqualTo(app.toRealPath() + "|" + launcher.toRealPath() + "|run -r a b\n");
        assertThat(binstub(Map.of("MAWASHI_HOME", release.toString())))
                .endsWith("|" + launcher.toRealPath() + "|run -r a b\n");
        assertThat(binstub(Map.of()))
                .startsWith("mawashi: it is not installed on this machine: apt install")
                .hasLineCount(1);
    }

    private String binstub(Map<String, String> variables) throws Exception {
        Path told = Files.createTempFile(folder, "told", ".txt");
        ProcessBuilder builder =
                new ProcessBuilder(app.resolve("bin/mawashi").toString(), "run", "-r", "a b")
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(told.toFile());
        builder.environment().clear();
        builder.environment().put("PATH", "/usr/bin:/bin");
        builder.environment().putAll(variables);
        Process process = builder.start();
        assertThat(process.waitFor(SECONDS_MAX, TimeUnit.SECONDS)).isTrue();
        return Files.readString(told, UTF_8);
    }

    private void write(String name, String text) throws IOException {
        Path file = app.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private int init() {
        StringWriter told = new StringWriter();
        StringWriter complained = new StringWriter();
        int code =
                Main.run(
                        List.of("init", app.toString()),
                        Map.of(),
                        new PrintWriter(told, true),
                        new PrintWriter(complained, true));
        out = told.toString();
        err = complained.toString();
        return code;
    }
}
