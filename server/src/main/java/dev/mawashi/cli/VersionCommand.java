package dev.mawashi.cli;

import dev.mawashi.wire.JsonFields;
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
        out.println(isJson ? json(version) : text(version));
        return Main.DONE;
    }

    private static String json(Version version) {
        return new JsonFields()
                .text("mawashi", version.mawashi())
                .text("jdk", Version.jdk())
                .text("jruby", version.jruby())
                .toString();
    }

    private static String text(Version version) {
        return "Mawashi %s%nJDK %s%nJRuby %s"
                .formatted(version.mawashi(), Version.jdk(), version.jruby());
    }
}
