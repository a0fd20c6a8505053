package dev.mawashi.cli;

import dev.mawashi.operate.Act;
import dev.mawashi.wire.JobSet;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;

/// The commands by name, with their subcommands.
final class Commands {
    /// In the order in which help lists them.
    static final List<String> NAMES =
            List.of(
                    "demo",
                    "run",
                    "push",
                    "cron",
                    "locks",
                    "stats",
                    "queues",
                    "retries",
                    "scheduled",
                    "dead",
                    "classes",
                    "cancel",
                    "erase",
                    "undo",
                    "audit",
                    "failed",
                    "processes",
                    "restart",
                    "reload",
                    "scale",
                    "busy",
                    "profile",
                    "web",
                    "mcp",
                    "top",
                    "redis",
                    "migrate",
                    "config",
                    "doctor",
                    "init",
                    "version");

    private final Map<String, String> environment;
    private final CommandContext context;

    Commands(Map<String, String> environment) {
        this.environment = environment;
        context = CommandContext.of(environment);
    }

    /// @param name one of `NAMES`
    CommandLine make(String name) {
        return switch (name) {
            case "demo" -> new CommandLine(new DemoCommand(environment));
            case "run" -> new CommandLine(new RunCommand(environment));
            case "push" -> new CommandLine(new PushCommand(environment));
            case "cron" -> cron();
            case "locks" -> locks();
            case "stats" ->
                    new CommandLine(new StatsCommand(environment))
                            .addSubcommand("redis", new CommandLine(new RedisFactsCommand(context)))
                            .addSubcommand("waits", new CommandLine(new WaitsCommand(context)));
            case "queues" -> queues();
            case "retries" -> retries();
            case "scheduled" -> scheduled();
            case "dead" -> dead();
            case "classes" -> examples(new CommandLine(new ClassesCommand(context)));
            case "cancel" -> examples(new CommandLine(new CancelCommand(context)));
            case "erase" -> examples(new CommandLine(new EraseCommand(context)));
            case "undo" -> examples(new CommandLine(new UndoCommand(context)));
            case "audit" -> examples(new CommandLine(new AuditCommand(context)));
            case "failed" -> failed();
            case "processes" -> processes();
            case "restart" -> examples(new CommandLine(new RestartCommand(context)));
            case "reload" -> examples(new CommandLine(new ReloadCommand(context)));
            case "scale" -> examples(new CommandLine(new ScaleCommand(context)));
            case "busy" -> busy();
            case "profile" -> examples(new CommandLine(new ProfileCommand(context)));
            case "web" -> new CommandLine(new WebCommand(context));
            case "mcp" -> examples(new CommandLine(new McpCommand(context)));
            case "top" -> examples(new CommandLine(new TopCommand(context)));
            case "redis" -> new CommandLine(new RedisCommand(environment));
            case "migrate" -> examples(new CommandLine(new MigrateCommand(context)));
            case "config" -> new CommandLine(new ConfigCommand(environment));
            case "doctor" -> new CommandLine(new DoctorCommand(context));
            case "init" -> new CommandLine(new InitCommand());
            case "version" -> new CommandLine(new VersionCommand());
            default -> throw new IllegalArgumentException("no command " + name);
        };
    }

    private CommandLine cron() {
        CommandLine line = examples(new CommandLine(new CronCommand(context)));
        line.addSubcommand(
                "show",
                described(
                        new CommandLine(new CronShowCommand(context)),
                        "Shows a schedule: its next ten times and its last runs.",
                        "  mawashi cron show nightly"));
        for (Act act : List.of(Act.PAUSE, Act.RESUME, Act.RUN)) {
            line.addSubcommand(
                    act.word(),
                    described(
                            new CommandLine(new CronActCommand(context, act)),
                            CronActCommand.description(act),
                            "  mawashi cron " + act.word() + " nightly"));
        }
        return line;
    }

    private CommandLine locks() {
        CommandLine line = examples(new CommandLine(new LocksCommand(context)));
        line.addSubcommand(
                Act.FREE.word(),
                described(
                        new CommandLine(new LockFreeCommand(context)),
                        Act.FREE.description(),
                        "  mawashi locks free Zk3-0aXw_1bQ7d"));
        return line;
    }

    private CommandLine queues() {
        CommandLine line = examples(new CommandLine(new QueuesCommand(context)));
        line.addSubcommand("jobs", examples(new CommandLine(new QueueJobsCommand(context))));
        line.addSubcommand("delete", queueDelete());
        line.addSubcommand("move", queueMove());
        line.addSubcommand("clear", examples(new CommandLine(new QueueClearCommand(context))));
        line.addSubcommand("pause", pause(true, Act.PAUSE.description()));
        line.addSubcommand("unpause", pause(false, Act.UNPAUSE.description()));
        return line;
    }

    private CommandLine pause(boolean isPause, String description) {
        CommandLine line = new CommandLine(new QueuePauseCommand(context, isPause));
        return described(
                line, description, "  mawashi queues " + (isPause ? "" : "un") + "pause low");
    }

    private CommandLine retries() {
        return set(JobSet.RETRY, "Lists failed jobs by their next try, and acts on them.");
    }

    private CommandLine scheduled() {
        return set(
                JobSet.SCHEDULE, "Lists jobs enqueued for later, soonest first, and acts on them.");
    }

    private CommandLine dead() {
        return set(JobSet.DEAD, "Lists dead jobs, the newest first, and acts on them.");
    }

    private CommandLine set(JobSet set, String description) {
        String name = name(set);
        List<Act> acts = Act.of(set);
        CommandLine line =
                described(
                        new CommandLine(new SetListCommand(context, set)),
                        description,
                        "  mawashi " + name,
                        "  mawashi " + name + " --class Report --queue low --json",
                        "  mawashi " + name + " " + acts.getFirst().word() + " --class Report");
        for (Act act : acts) {
            String call = "  mawashi " + name + " " + act.word();
            String when =
                    switch (act) {
                        case RESCHEDULE -> " --in 2h";
                        case REQUEUE -> " --to low";
                        default -> "";
                    };
            line.addSubcommand(
                    act.word(),
                    described(
                            new ActCommand(context, act, new SetChoice(set)).line(),
                            act.description(),
                            call + " 0f3a1c2b9d8e7f6a5b4c3d2e" + when,
                            call + " --class Report --text '\"year\":2026'" + when,
                            call + " --all --yes" + when));
        }
        CommandLine clear = new CommandLine(new SetClearCommand(context, set));
        line.addSubcommand(
                "clear", described(clear, Act.CLEAR.description(), "  mawashi " + name + " clear"));
        return line;
    }

    private CommandLine failed() {
        CommandLine line =
                described(
                        new CommandLine(new FailedCommand(context)),
                        "Lists Resque's failed jobs, newest first, and acts on them.",
                        "  mawashi failed --class Archive --json",
                        "  mawashi failed requeue --queue low --error Timeout");
        line.addSubcommand(
                "requeue",
                failed(
                        Act.REQUEUE,
                        "Enqueues jobs anew, except those requeued before; records stay."));
        line.addSubcommand("remove", failed(Act.REMOVE, Act.REMOVE.description()));
        return line;
    }

    private CommandLine failed(Act act, String description) {
        String call = "  mawashi failed " + act.word();
        return described(
                new ActCommand(context, act, new FailureChoice()).line(),
                description,
                call + " --class Archive --text '\"tar\"'",
                call + " --all --yes");
    }

    private CommandLine queueDelete() {
        return described(
                new ActCommand(context, Act.DELETE, new QueueChoice()).line(),
                "Deletes jobs that wait in a queue.",
                "  mawashi queues delete default 0f3a1c2b9d8e7f6a5b4c3d2e",
                "  mawashi queues delete default --class Report --yes");
    }

    private CommandLine queueMove() {
        CommandLine line =
                described(
                        new ActCommand(context, Act.MOVE, new MoveChoice()).line(),
                        "",
                        "  mawashi queues move default low --class Report",
                        "  mawashi queues move default low --all --yes");
        line.getCommandSpec()
                .usageMessage()
                .description(
                        "Moves waiting jobs to the back of another queue, in their order.",
                        "Running jobs shift the rest, so a few may be missed: call it again, or"
                                + " pause the queue first.");
        return line;
    }

    private static String name(JobSet set) {
        return switch (set) {
            case SCHEDULE -> "scheduled";
            case RETRY -> "retries";
            case DEAD -> "dead";
        };
    }

    private CommandLine busy() {
        CommandLine line = examples(new CommandLine(new BusyCommand(context)));
        line.addSubcommand(
                "stack",
                described(
                        new CommandLine(new StackCommand(context)),
                        "Shows a running job's stack, from its process.",
                        "  mawashi busy stack 8e3f4a5b6c7d8e9f0a1b2c3d"));
        return line;
    }

    private CommandLine processes() {
        CommandLine line = examples(new CommandLine(new ProcessesCommand(context)));
        line.addSubcommand(
                "show",
                described(
                        new CommandLine(new ShowProcessCommand(context)),
                        "Shows a process: its record, its JVM, its children.",
                        "  mawashi processes show web-1:4711",
                        "  mawashi processes show web-1:4711 --json"));
        line.addSubcommand(
                "threads",
                described(
                        new CommandLine(new ProcessThreadsCommand(context)),
                        "Prints the stacks of a process's threads, in Ruby and in Java.",
                        "  mawashi processes threads web-1:4711"));
        line.addSubcommand(
                "heap",
                described(
                        new CommandLine(new HeapCommand(context)),
                        Act.HEAP.description(),
                        "  mawashi processes heap web-1:4711",
                        "  mawashi processes heap web-1:4711 --child 4720 --yes"));
        for (SignalCommand.Kind kind : SignalCommand.Kind.values()) {
            String call = "  mawashi processes " + kind.act().word();
            line.addSubcommand(
                    kind.act().word(),
                    described(
                            new CommandLine(new SignalCommand(context, kind)),
                            kind.act().description(),
                            call + " web-1:4711",
                            call + " --all"));
        }
        return line;
    }

    private static CommandLine described(CommandLine line, String description, String... footer) {
        line.getCommandSpec().usageMessage().description(description).footer(footer);
        return examples(line);
    }

    private static CommandLine examples(CommandLine line) {
        line.getCommandSpec().usageMessage().footerHeading("%nExamples:%n");
        return line;
    }
}
