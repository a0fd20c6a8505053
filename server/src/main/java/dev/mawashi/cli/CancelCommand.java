package dev.mawashi.cli;

import dev.mawashi.broker.RedisBroker;
import dev.mawashi.inspect.InFlightReader;
import dev.mawashi.operate.Act;
import dev.mawashi.operate.Audit;
import dev.mawashi.operate.Cancellation;
import dev.mawashi.operate.Canceller;
import dev.mawashi.operate.Progress;
import dev.mawashi.operate.Report;
import dev.mawashi.operate.RunCanceller;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.tables.CancelMarks;
import dev.mawashi.wire.JsonFields;
import dev.mawashi.wire.QueueLayout;
import dev.mawashi.wire.ResqueKeys;
import dev.mawashi.wire.RunId;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `mawashi cancel`.
@Command(
        description = {
            "Cancels a job: deletes it if it waits, ends it if it runs.",
            "Resque's jobs have no JID: give the id of a run from mawashi busy. Resque.dequeue and"
                    + " Resque.remove_delayed remove waiting jobs.",
        },
        footer = {
            "  mawashi cancel 0f3a1c2b9d8e7f6a5b4c3d2e",
            "  mawashi cancel 0f3a1c2b9d8e7f6a5b4c3d2e --wait 60 --json",
            "  mawashi cancel 7d1e0f3a1c2b-17",
        })
final class CancelCommand implements Callable<Integer> {
    private static final double WAIT_SECONDS_MAX = 86_400;

    private final CommandContext context;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "JID", description = "Id of the job, or of a run of a Resque job.")
    private String jid = "";

    @Mixin private RedisOption redis = new RedisOption();

    @Mixin private NamespaceOption namespace = new NamespaceOption();

    @Option(
            names = "--wait",
            paramLabel = "SECONDS",
            description = "Longest wait for the end of a running job (15).")
    private double waitSeconds = 15;

    @Option(names = "--json", description = "One JSON object: act, jid, state, places.")
    private boolean isJson;

    CancelCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws Exception {
        if (jid.isEmpty() || !(waitSeconds >= 0 && waitSeconds <= WAIT_SECONDS_MAX)) {
            throw new WrongUse(
                    jid.isEmpty()
                            ? "which job? The JID is empty"
                            : "--wait " + waitSeconds + " is not a number of seconds");
        }
        ResqueKeys keys = namespace.keys();
        Duration wait = Duration.ofMillis(Math.round(waitSeconds * 1_000));
        Optional<RunId> run = RunId.parse(jid);
        if (run.isPresent()) {
            Cancellation cancelled = cancelRun(run.get(), keys, wait);
            if (cancelled.state() != Cancellation.State.NOWHERE) {
                return report(cancelled, runText(cancelled));
            }
        }
        Cancellation cancelled = cancelJob(wait);
        return report(cancelled, jobText(cancelled));
    }

    private Cancellation cancelRun(RunId run, ResqueKeys keys, Duration wait) throws Exception {
        RedisBroker broker = context.broker(redis, keys);
        try (CancelMarks marks = marks(broker, keys.layout());
                InFlightReader inFlight =
                        new InFlightReader(broker.connect("inspect"), keys.layout())) {
            return WrongKey.explain(
                    marks.key(),
                    "sorted set",
                    () -> new RunCanceller(marks, inFlight).cancel(run, wait));
        }
    }

    private static CancelMarks marks(RedisBroker broker, QueueLayout layout) {
        return new CancelMarks(broker.connect("cancel"), layout);
    }

    private Cancellation cancelJob(Duration wait) throws Exception {
        RedisBroker broker = context.broker(redis);
        try (CancelMarks marks = marks(broker, QueueLayout.SIDEKIQ);
                InFlightReader inFlight =
                        new InFlightReader(broker.connect("inspect"), QueueLayout.SIDEKIQ);
                RedisConnection edit = broker.connect("edit")) {
            Canceller canceller = new Canceller(marks, inFlight, edit, context.clock());
            return WrongKey.explain(
                    "schedule, retry, mw:cancelled or a queue",
                    "key of the right type",
                    () -> canceller.cancel(jid, wait, Progress.UNHEARD));
        }
    }

    private int report(Cancellation cancelled, String text) {
        record(cancelled);
        boolean isDone =
                switch (cancelled.state()) {
                    case DELETED, ENDED, TOLD -> true;
                    case TOO_LATE, NOWHERE -> false;
                };
        var lines = isJson || isDone ? spec.commandLine().getOut() : spec.commandLine().getErr();
        lines.println(isJson ? json(cancelled) : text);
        return isDone ? Main.DONE : Main.FAILED;
    }

    private void record(Cancellation cancelled) {
        String state = cancelled.state().name().toLowerCase(Locale.ROOT);
        try (Recorder recorder = context.recorder(context.broker(redis))) {
            recorder.note(
                    new Audit.Intent(Act.CANCEL, "job " + jid),
                    Report.NOTHING,
                    state + " " + String.join(", ", cancelled.places()));
        }
    }

    private String jobText(Cancellation cancelled) {
        String job = "job " + TextTable.printable(jid);
        String places = places(cancelled);
        return switch (cancelled.state()) {
            case DELETED -> job + " was deleted from " + places;
            case ENDED -> job + " was ended" + (places.isEmpty() ? "" : " in " + places);
            case TOLD ->
                    job
                            + " is cancelled; "
                            + places
                            + " has not ended it yet, and nobody will begin it again within a day";
            case TOO_LATE -> "mawashi: " + job + " had ended by itself in " + places;
            case NOWHERE ->
                    "mawashi: "
                            + job
                            + " is in no queue, in neither schedule nor retry, and does not run";
        };
    }

    private String runText(Cancellation cancelled) {
        String run = "run " + TextTable.printable(jid);
        String places = places(cancelled);
        return switch (cancelled.state()) {
            case ENDED -> run + " was ended in " + places;
            case TOLD ->
                    run
                            + " is cancelled; "
                            + places
                            + " has not ended it yet, and if that dies its job runs again";
            case TOO_LATE, NOWHERE, DELETED ->
                    "mawashi: "
                            + run
                            + " had ended by itself, or "
                            + places
                            + " has died and its job runs again: see mawashi busy";
        };
    }

    private static String places(Cancellation cancelled) {
        return TextTable.printable(String.join(", ", cancelled.places()));
    }

    private String json(Cancellation cancelled) {
        return new JsonFields()
                .text("act", "cancel")
                .text("jid", jid)
                .text("state", cancelled.state().name().toLowerCase(Locale.ROOT))
                .texts("places", List.copyOf(cancelled.places()))
                .toString();
    }
}
