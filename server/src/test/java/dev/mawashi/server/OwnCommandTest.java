package dev.mawashi.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

final class OwnCommandTest {
    private static final Path HERE = Path.of("/app/releases/1");

    private static List<String> elsewhere(String command) {
        return OwnCommand.elsewhere(List.of(command.split(" ", -1)), HERE);
    }

    @Test
    void whatTheJvmIsGivenRelativeToThisFolderIsFoundFromAnother() {
        assertThat(
                        elsewhere(
                                "jre/bin/java -javaagent:otel.jar=x -Xss16m -cp lib/*:classes::/abs"
                                        + " dev.mawashi.cli.Main run -r ./jobs.rb"))
                .containsExactly(
                        "/app/releases/1/jre/bin/java",
                        "-javaagent:/app/releases/1/otel.jar=x",
                        "-Xss16m",
                        "-cp",
                        "/app/releases/1/lib/*:/app/releases/1/classes:/app/releases/1:/abs",
                        "dev.mawashi.cli.Main",
                        "run",
                        "-r",
                        "./jobs.rb");
    }

    @Test
    void aProgramThatPathNamesAndWordsOfTheServerStayAsTheyAre() {
        assertThat(elsewhere("java -jar mawashi.jar run -cp lib"))
                .containsExactly(
                        "java", "-jar", "/app/releases/1/mawashi.jar", "run", "-cp", "lib");
        assertThat(elsewhere("/usr/bin/java -version"))
                .containsExactly("/usr/bin/java", "-version");
    }
}
