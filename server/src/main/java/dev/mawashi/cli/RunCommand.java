package dev.mawashi.cli;

import dev.mawashi.children.ChildFailure;
import dev.mawashi.ruby.RubyBootFailure;
import dev.mawashi.server.Logging;
import dev.mawashi.server.Predecessor;
import dev.mawashi.server.Restart;
import dev.mawashi.server.Server;
import dev.mawashi.server.ServerSettings;
import dev.mawashi.server.Signals;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `mawashi run`.
@Command(
        name = "run",
        versionProvider = MawashiCommand.VersionLine.class,
        description = "Works off an app's jobs, in place of `sidekiq` or `rake resque:work`.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  mawashi run -r ./jobs.rb",
            "  mawashi run -r . -q critical -q default -c 20 -e production",
            "  mawashi run -r . --resque 'high,*,!slow'",
            "  REDIS_URL=redis://10.0.0.5:6379/1 mawashi run -r ./jobs.rb",
            "",
            "Signals: TERM and INT stop (running jobs get -t seconds, the rest goes back",
            "to the head of its queue), TSTP stops claiming, TTIN logs what runs and",
            "where.",
        })
final class RunCommand implements Callable<Integer> {
    private final Map<String, String> environment;

    @Mixin private RunOptions options = new RunOptions();

    @Mixin private LogOption log = new LogOption();

    @Option(names = "--alone", hidden = true, description = "How a server starts one for suspects.")
    private boolean isAlone;

    @Option(
            names = "--beside",
            hidden = true,
            description = "How a server starts the one that takes its place.")
    private @Nullable Path beside;

    @Option(
            names = {"-V", "--version"},
            versionHelp = true,
            description = "Prints the version.")
    @SuppressWarnings("UnusedVariable") // picocli acts on it
    private boolean isVersionAsked;

    RunCommand(Map<String, String> environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() throws InterruptedException {
        if (beside == null) {
            return run(null);
        }
        Predecessor before = Predecessor.of(beside);
        try {
            return run(before);
        } catch (RuntimeException failed) {
            before.failed(Objects.requireNonNullElse(failed.getMessage(), "" + failed));
            throw failed;
        }
    }

    private int run(@Nullable Predecessor before) throws InterruptedException {
        log.begin(environment, options.isVerbose(environment));
        ServerSettings settings = options.settings(environment, log, isAlone);
        Logging.level(settings.logLevel());
        Server server =
                new Server(
                        settings,
                        environment,
                        folder -> options.again(settings, folder, environment),
                        before);
        Signals signals = Signals.install(server);
        if (before != null) {
            before.follow(signals::raiseFromPage, signals::endUnused);
        }
        if (isAlone) {
            Tie.to(System.in, server, signals);
        }
        boolean isWorking = start(server, signals);
        if (isWorking) {
            signals.awaitStop();
        }
        server.stop();
        if (signals.isTainted()) {
            return Main.FAILED;
        }
        if (signals.isRecycling() && !server.hasGivenWay()) {
            return Restart.inPlace(server.role());
        }
        return server.leave();
    }

    private boolean start(Server server, Signals signals) throws InterruptedException {
        try {
            boolean isWorking = server.start(signals::raiseFromPage);
            if (isWorking) {
                options.runner().logReason();
            }
            return isWorking;
        } catch (RubyBootFailure failed) {
            throw failed.with(reasonBehind(failed));
        } catch (ChildFailure failed) {
            throw failed.with(reasonBehind(failed));
        }
    }

    /// Why this runner was taken, where it may be the reason of a failure: an app that does not
    /// load. What is wrong with a flag or a file is so with each runner.
    private String reasonBehind(RuntimeException failed) {
        String message = String.valueOf(failed.getMessage());
        return message.startsWith("cannot load ") ? options.runner().reason() : "";
    }
}
