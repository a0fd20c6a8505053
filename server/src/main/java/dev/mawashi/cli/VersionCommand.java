package dev.mawashi.cli;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `mawashi version`.
@Command(
        name = "version",
        description = "Prints the versions of Mawashi, the JDK and JRuby.",
        footerHeading = "%nExamples:%n",
        footer = {"  mawashi version", "  mawashi version --json"})
final class VersionCommand implements Callable<Integer> {
    @Spec private CommandSpec spec = CommandSpec.create();

    @Option(names = "--json", description = "One JSON object: mawashi, jdk, jruby.")
    private boolean isJson;

    @Override
    public Integer call() {
        Version version = Version.ofThisBuild();
        PrintWriter out = spec.commandLine().getOut();
        String form =
                isJson
                        ? "{\"mawashi\":\"%s\",\"jdk\":\"%s\",\"jruby\":\"%s\"}%n"
                        : "Mawashi %s%nJDK %s%nJRuby %s%n";
        out.printf(form, version.mawashi(), Version.jdk(), version.jruby());
        return Main.DONE;
    }
}
