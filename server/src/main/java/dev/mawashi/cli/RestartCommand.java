package dev.mawashi.cli;

import dev.mawashi.fleet.Asking;
import dev.mawashi.fleet.ProcessReader;
import dev.mawashi.fleet.ProgramTurn;
import dev.mawashi.fleet.RestartView;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.wire.Keys;
import java.io.PrintWriter;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `mawashi restart`.
@Command(
        description = {
            "Starts new code in a process, beside the old. Running jobs end on the old code,"
                    + " however long they take; others run on the new code once that can run jobs.",
            "If the new code does not boot, the old goes on, and the exit code is 1. --all restarts"
                    + " one process after the other and stops at the first that fails."
        },
        footer = {
            "  mawashi restart",
            "  mawashi restart web-1:4711",
            "  mawashi restart web-1:4711 --no-wait",
            "  mawashi restart --all",
        })
final class RestartCommand implements Callable<Integer> {
    private final CommandContext context;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Mixin private ChosenProcesses processes = new ChosenProcesses();

    @Option(names = "--no-wait", description = "Return when the boot of the new code begins.")
    private boolean isNotWaiting;

    RestartCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws Exception {
        if (processes.isAll() && isNotWaiting) {
            throw new WrongUse("--all restarts each process and waits for it: leave out --no-wait");
        }
        return processes.change(
                context,
                (connection, recorder) ->
                        processes.isAll() ? all(connection, recorder) : one(connection, recorder));
    }

    private int one(RedisConnection connection, Recorder recorder) {
        String identity = processes.one(new ProcessReader(connection));
        ProcessRestart restart = restart(connection, recorder, () -> {});
        try {
            RestartView begun = restart.begin(identity);
            if (!isNotWaiting) {
                restart.complete(identity, begun);
            }
        } catch (ProcessRestart.Failed failed) {
            PrintWriter err = spec.commandLine().getErr();
            failed.details().forEach(line -> err.println(TextTable.printable(line)));
            throw new CommandFailure(String.valueOf(failed.getMessage()));
        }
        return Main.DONE;
    }

    private int all(RedisConnection connection, Recorder recorder) throws Exception {
        ProgramTurn turn =
                new ProgramTurn(
                        connection,
                        Keys.ROLLING,
                        UUID.randomUUID().toString(),
                        context.user(),
                        context.clock().instant());
        WrongKey.explain(Keys.ROLLING, "string", () -> FleetRestart.keep(turn));
        try {
            new FleetRestart(
                            new ProcessReader(connection),
                            restart(connection, recorder, () -> FleetRestart.keep(turn)),
                            spec.commandLine().getOut(),
                            spec.commandLine().getErr())
                    .run();
        } finally {
            turn.leave();
        }
        return Main.DONE;
    }

    private ProcessRestart restart(RedisConnection connection, Recorder recorder, Runnable onLook) {
        return new ProcessRestart(
                new Asking(connection), recorder, spec.commandLine().getOut(), onLook);
    }
}
