package dev.mawashi.bench.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// One run of a benchmark with real servers, and what it prints.
final class SmallRun {
    private SmallRun() {}

    /// @param line the command after `mawashi bench`
    /// @return what it printed
    static String run(String line) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        List<String> arguments = List.of((line + " --runs 1").split(" "));
        Main main = new Main(System.getenv(), InstantSource.system(), SmallRun::javaCommand);
        int code = main.run(arguments, new PrintWriter(out), new PrintWriter(err));
        assertThat(code).as(err.toString()).isEqualTo(Main.DONE);
        return out.toString();
    }

    /// The launcher would build the checkout, which is being built just now.
    private static List<String> javaCommand() {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xss2m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.mawashi.cli.Main");
    }

    /// All numbers by the names of their fields.
    static Map<String, Double> figures(String json) {
        Map<String, Double> figures = new HashMap<>();
        Matcher field = Pattern.compile("\"(\\w+)\":([0-9.E-]+)").matcher(json);
        while (field.find()) {
            figures.put(field.group(1), Double.valueOf(field.group(2)));
        }
        return figures;
    }
}
