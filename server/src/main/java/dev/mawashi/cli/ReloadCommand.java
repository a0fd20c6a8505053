package dev.mawashi.cli;

import dev.mawashi.fleet.Asking;
import dev.mawashi.fleet.ProcessReader;
import dev.mawashi.fleet.ProcessRecord;
import dev.mawashi.fleet.Question;
import dev.mawashi.fleet.ReloadView;
import dev.mawashi.fleet.Reply;
import dev.mawashi.operate.Act;
import dev.mawashi.operate.Audit;
import dev.mawashi.operate.Report;
import dev.mawashi.redis.RedisConnection;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// `mawashi reload`.
@Command(
        description = {
            "Makes a process read config/mawashi.yml and config/sidekiq.yml again, and prints the"
                    + " changes. Order and weights of queues, limits, redact, cron and log_level"
                    + " take effect at once. It names each changed setting that needs a restart.",
            "If a file cannot be followed, nothing changes, and the exit code is 1."
        },
        footer = {
            "  mawashi reload",
            "  mawashi reload web-1:4711",
            "  mawashi reload --all",
        })
final class ReloadCommand implements Callable<Integer> {
    /// A Ruby may be started to read the files, and has 20 s for it.
    private static final Duration PATIENCE = Duration.ofSeconds(50);

    private final CommandContext context;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Mixin private ChosenProcesses processes = new ChosenProcesses();

    ReloadCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws Exception {
        return processes.change(context, this::reload);
    }

    private int reload(RedisConnection connection, Recorder recorder) {
        ProcessReader reader = new ProcessReader(connection);
        Asking asking = new Asking(connection);
        if (!processes.isAll()) {
            reload(processes.one(reader), asking, recorder);
            return Main.DONE;
        }
        List<String> ours =
                reader.processes().stream()
                        .filter(ProcessRecord::isMawashi)
                        .map(ProcessRecord::identity)
                        .toList();
        if (ours.isEmpty()) {
            throw new CommandFailure("there is no process of Mawashi: start one with mawashi run");
        }
        List<String> failures = new ArrayList<>();
        for (String identity : ours) {
            try {
                reload(identity, asking, recorder);
            } catch (CommandFailure failure) {
                failures.add(String.valueOf(failure.getMessage()));
            }
        }
        PrintWriter err = spec.commandLine().getErr();
        failures.stream().skip(1).forEach(err::println);
        if (!failures.isEmpty()) {
            throw new CommandFailure(failures.getFirst());
        }
        return Main.DONE;
    }

    private void reload(String identity, Asking asking, Recorder recorder) {
        Reply reply = asking.ask(identity, Question.Kind.RELOAD, "", PATIENCE);
        Audit.Intent intent = new Audit.Intent(Act.RELOAD, identity);
        if (reply == Reply.Unanswered.LATE) {
            recorder.note(intent, Report.NOTHING, reply.problem());
            throw failed(identity, reply.problem() + "; perhaps it reads them all the same");
        }
        if (!(reply instanceof Reply.Answered answered)) {
            throw failed(identity, reply.problem());
        }
        ReloadView view = ReloadView.of(answered.text());
        print(identity, view);
        recorder.note(intent, Report.NOTHING, view.summary());
    }

    private static CommandFailure failed(String identity, String reason) {
        return new CommandFailure(TextTable.printable("not reloaded: " + identity + ": " + reason));
    }

    private void print(String identity, ReloadView view) {
        view.changed().forEach(one -> say(identity + ": " + one));
        if (view.changed().isEmpty() && view.atStart().isEmpty()) {
            say(identity + ": nothing has changed");
        }
        view.atStart().forEach(one -> say(identity + ": at its next start only: " + one));
    }

    private void say(String line) {
        PrintWriter out = spec.commandLine().getOut();
        out.println(TextTable.printable(line));
        out.flush();
    }
}
