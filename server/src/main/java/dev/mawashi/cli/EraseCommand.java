package dev.mawashi.cli;

import dev.mawashi.broker.Leasing;
import dev.mawashi.broker.RedisBroker;
import dev.mawashi.inspect.InFlightReader;
import dev.mawashi.inspect.JobQuery;
import dev.mawashi.operate.Act;
import dev.mawashi.operate.Audit;
import dev.mawashi.operate.Canceller;
import dev.mawashi.operate.Erased;
import dev.mawashi.operate.Eraser;
import dev.mawashi.operate.Report;
import dev.mawashi.operate.RunCanceller;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.tables.CancelMarks;
import dev.mawashi.wire.QueueLayout;
import dev.mawashi.wire.ResqueKeys;
import dev.mawashi.wire.RunId;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `mawashi erase`.
@Command(
        description = {
            "Removes all jobs that hold a text, such as a person's address, wherever they are:"
                    + " queues, sets, Resque's failures and delayed jobs, what dead processes had"
                    + " in hand, what can be undone. Nothing undoes it.",
            "Running jobs stay, unless --running is given. Ends with 1 when any is left.",
        },
        footer = {
            "  mawashi erase --text anna@example.org --dry-run",
            "  mawashi erase --text - --class Newsletter --running --yes < address.txt",
        })
final class EraseCommand implements Callable<Integer> {
    /// A shorter text would be found in any job.
    private static final int LETTERS_MIN = 3;

    private static final int LETTERS_MAX = 10_000;
    private static final double WAIT_SECONDS_MAX = 86_400;
    private static final int DIGEST_BYTES = 4;

    private final CommandContext context;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Mixin private RedisOption redis = new RedisOption();

    @Mixin private NamespaceOption namespace = new NamespaceOption();

    @Option(
            names = "--text",
            required = true,
            paramLabel = "TEXT",
            description =
                    "The text, as it is anywhere in arguments and errors, 3 letters at least; -"
                            + " reads a line of stdin, which no list of processes shows.")
    private String given = "";

    @Option(
            names = "--class",
            paramLabel = "NAME",
            description = "Jobs of this class; ActiveJob's by their own name.")
    private String jobClass = "";

    @Option(names = "--running", description = "Cancels those that run, too.")
    private boolean isRunningToo;

    @Option(
            names = "--wait",
            paramLabel = "SECONDS",
            description = "With --running, longest wait for the end of each (15).")
    private double waitSeconds = 15;

    @Option(names = "--dry-run", description = "Says what it would remove, and removes nothing.")
    private boolean isDry;

    @Option(names = "--yes", description = "Do not ask.")
    private boolean isYes;

    @Option(
            names = "--json",
            description =
                    "One JSON object: act, dry_run, erased, places, running, refused,"
                            + " unreached.")
    private boolean isJson;

    EraseCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws IOException {
        if (!(waitSeconds >= 0 && waitSeconds <= WAIT_SECONDS_MAX)) {
            throw new WrongUse("--wait " + waitSeconds + " is not a number of seconds");
        }
        String text = text();
        ResqueKeys keys = namespace.keys();
        RedisBroker broker = context.broker(redis);
        RedisBroker resque = context.broker(redis, keys);
        try (RedisConnection connection = broker.connect("edit");
                InFlightReader own = inFlight(broker, QueueLayout.SIDEKIQ);
                InFlightReader others = inFlight(resque, keys.layout());
                Leasing leases = broker.leasing();
                Leasing otherLeases = resque.leasing();
                Recorder recorder = context.recorder(broker)) {
            Eraser.Half sidekiq = new Eraser.Half(QueueLayout.SIDEKIQ, own, leases);
            Eraser.Half rest = new Eraser.Half(keys.layout(), others, otherLeases);
            Eraser.Halves halves = new Eraser.Halves(sidekiq, rest, keys);
            Audit audit = recorder.audit();
            List<InFlightReader.Holding> foreign = foreign(connection, keys, text);
            Eraser look = new Eraser(connection, halves, audit, wish(text, true));
            Erased found = look.erase().and(foreign);
            if (isDry || (found.total() == 0 && found.running().isEmpty())) {
                return told(found);
            }
            ask(found);
            Eraser eraser = new Eraser(connection, halves, audit, wish(text, false));
            Erased erased = record(recorder, text, () -> erase(eraser, halves));
            return told(erased.and(foreign(connection, keys, text)));
        }
    }

    private List<InFlightReader.Holding> foreign(
            RedisConnection connection, ResqueKeys keys, String text) {
        JobQuery query = new JobQuery(Set.of(), jobClass, "", "", "");
        return new ForeignRuns(connection, keys).with(text, query);
    }

    private static InFlightReader inFlight(RedisBroker broker, QueueLayout layout) {
        return new InFlightReader(broker.connect("inspect"), layout);
    }

    private Eraser.Wish wish(String text, boolean isOnlyALook) {
        return new Eraser.Wish(text, jobClass, isOnlyALook);
    }

    private String text() throws IOException {
        String text = given;
        if (given.equals("-")) {
            var in = new InputStreamReader(System.in, StandardCharsets.UTF_8);
            text = Objects.requireNonNullElse(new BufferedReader(in).readLine(), "");
        }
        text = text.strip();
        int letters = text.codePointCount(0, text.length());
        if (letters < LETTERS_MIN || letters > LETTERS_MAX) {
            throw new WrongUse(
                    String.format(
                            Locale.ROOT,
                            "--text has %d letters: give what stands in no other's jobs, %d to %,d letters",
                            letters,
                            LETTERS_MIN,
                            LETTERS_MAX));
        }
        return text;
    }

    private void ask(Erased found) {
        if (!isYes) {
            String deed = "erase " + found.total() + " jobs and records for good";
            String running = " and cancel " + found.running().size() + " that run";
            context.terminal()
                    .confirm(isRunningToo ? deed + running : deed, spec.commandLine().getErr());
        }
    }

    private Erased erase(Eraser eraser, Eraser.Halves halves) {
        Erased erased = eraser.erase();
        if (!isRunningToo || erased.running().isEmpty()) {
            return erased;
        }
        cancel(erased.running(), halves);
        // One that ended otherwise may be in a queue or set again.
        return eraser.erase();
    }

    private void cancel(List<InFlightReader.Holding> running, Eraser.Halves halves) {
        Duration wait = Duration.ofMillis(Math.round(waitSeconds * 1_000));
        RedisBroker broker = context.broker(redis);
        QueueLayout resque = halves.resque().layout();
        try (CancelMarks marks = marks(broker, QueueLayout.SIDEKIQ);
                CancelMarks runMarks = marks(broker, resque)) {
            for (InFlightReader.Holding one : running) {
                if (!one.jid().isEmpty()) {
                    var _ =
                            Canceller.cancelHeld(
                                    marks, halves.sidekiq().inFlight(), one.jid(), wait);
                } else if (one.token() > 0) {
                    RunId run = RunId.of(one.owner(), one.token());
                    var _ =
                            new RunCanceller(runMarks, halves.resque().inFlight())
                                    .cancel(run, wait);
                }
            }
        }
    }

    private static CancelMarks marks(RedisBroker broker, QueueLayout layout) {
        return new CancelMarks(broker.connect("cancel"), layout);
    }

    /// Records it, without the text.
    private Erased record(Recorder recorder, String text, Supplier<Erased> deed) {
        Erased[] erased = new Erased[1];
        String which =
                "text with SHA-256 "
                        + digest(text)
                        + (jobClass.isEmpty() ? "" : ", class " + jobClass);
        Report _ =
                recorder.record(
                        new Audit.Intent(Act.ERASE, "everywhere", "", which),
                        (_, _) -> {
                            erased[0] = deed.get();
                            return Report.touched(erased[0].total());
                        });
        return Objects.requireNonNull(erased[0]);
    }

    /// The beginning, which tells whether a text was this one, and not which it was.
    private static String digest(String text) {
        try {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
            return HexFormat.of().formatHex(digest, 0, DIGEST_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    private int told(Erased erased) {
        EraseResult result = new EraseResult(erased, isDry);
        spec.commandLine().getOut().println(isJson ? result.json() : result.text());
        return isDry || erased.isWhole() ? Main.DONE : Main.FAILED;
    }
}
