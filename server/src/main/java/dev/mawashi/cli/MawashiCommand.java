package dev.mawashi.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// `mawashi` itself, which only lists its commands.
@Command(
        name = "mawashi",
        versionProvider = MawashiCommand.VersionLine.class,
        description = "Runs Sidekiq jobs, fast.",
        synopsisSubcommandLabel = "COMMAND",
        commandListHeading = "%nCommands:%n",
        footerHeading = "%nExamples:%n",
        footer = {
            "  mawashi demo                  see it work, nothing needed",
            "  mawashi run -r ./jobs.rb      work off an app's jobs",
            "  mawashi health                a probe: 0 when the servers here can run jobs",
            "  mawashi prepare               makes later starts cheaper, once",
            "  mawashi jruby -S rake test    the Ruby inside, with the words that follow",
            "  mawashi COMMAND --help        what a command takes, with examples",
        })
final class MawashiCommand implements Runnable {
    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new CommandLine.ParameterException(spec.commandLine(), "no command given");
    }

    /// The output of `--version`.
    static final class VersionLine implements CommandLine.IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {"mawashi " + Version.ofThisBuild().mawashi()};
        }
    }
}
