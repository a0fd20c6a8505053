package dev.mawashi.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `mawashi init`.
@Command(
        name = "init",
        description = {
            "Writes config/mawashi.yml, bin/mawashi and a line of the Procfile into an app.",
            "Existing files and lines stay."
        },
        footerHeading = "%nExamples:%n",
        footer = {"  mawashi init", "  mawashi init /srv/shop"})
final class InitCommand implements Callable<Integer> {
    @Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "DIR",
            defaultValue = ".",
            description = "The app's folder (default: the one at hand).")
    private Path folder = Path.of(".");

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        AppFiles app = AppFiles.of(folder);
        out.printf("config/mawashi.yml  %s%n", app.writeConfig());
        out.printf("bin/mawashi         %s%n", app.writeBinstub());
        out.printf("Procfile            %s%n", app.addToProcfile());
        out.printf("%nNext: %s%n", app.command());
        return Main.DONE;
    }
}
