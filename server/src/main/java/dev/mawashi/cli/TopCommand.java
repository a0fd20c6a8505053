package dev.mawashi.cli;

import dev.mawashi.broker.RedisBroker;
import dev.mawashi.figures.Inspector;
import dev.mawashi.fleet.ProcessReader;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.wire.JsonFields;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `mawashi top`.
@Command(
        description = "Shows queues, processes and the longest jobs, anew every 2 s; q quits.",
        footer = {
            "  mawashi top",
            "  mawashi top --interval 10",
            "  mawashi top --json | jq .processed_per_s",
        })
final class TopCommand implements Callable<Integer> {
    private static final int INTERVAL_MAX = 3_600;

    private final CommandContext context;
    private final CountDownLatch quit = new CountDownLatch(1);

    @Spec private CommandSpec spec = CommandSpec.create();

    @Mixin private RedisOption redis = new RedisOption();

    @Option(
            names = "--interval",
            paramLabel = "SECONDS",
            description = "Time between two readings, 1 to 3600 (2).")
    private int interval = 2;

    @Option(
            names = "--once",
            description = "Prints one reading and ends, as without a terminal; it has no rates.")
    private boolean isOnce;

    @Option(
            names = "--json",
            description =
                    "One JSON object per reading: at, processed, processed_per_s, failed,"
                            + " failed_per_s, enqueued, scheduled, retries, dead, queues,"
                            + " processes, jobs (the 20 longest) as the commands queues,"
                            + " processes and busy print them; while Redis does not answer, at"
                            + " and error.")
    private boolean isJson;

    TopCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws InterruptedException {
        if (interval < 1 || interval > INTERVAL_MAX) {
            throw new WrongUse("--interval " + interval + " is out of range: choose 1 to 3600");
        }
        RedisBroker broker = context.broker(redis);
        if (isJson && !isOnce) {
            follow(broker);
        } else if (isOnce || !context.terminal().canAsk()) {
            once(broker);
        } else {
            watch(broker);
        }
        return Main.DONE;
    }

    private void once(RedisBroker broker) {
        TopReading reading = read(broker);
        PrintWriter out = spec.commandLine().getOut();
        if (isJson) {
            out.println(reading.json(null));
        } else {
            TopFrame.UNBOUNDED.of(reading, null).forEach(out::println);
        }
        out.flush();
    }

    /// Until nobody reads any more, or a signal ends it.
    private void follow(RedisBroker broker) throws InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        @Nullable TopReading before = null;
        do {
            try {
                TopReading reading = read(broker);
                out.println(reading.json(before));
                before = reading;
            } catch (RedisFailure | UncheckedIOException e) {
                JsonFields line =
                        new JsonFields()
                                .text("at", context.clock().instant().toString())
                                .text("error", String.valueOf(e.getMessage()));
                out.println(JobRows.escaped(line.toString()));
            }
        } while (!out.checkError() && !quit.await(interval, TimeUnit.SECONDS));
    }

    private void watch(RedisBroker broker) throws InterruptedException {
        try (Screen screen = new Screen(spec.commandLine().getOut())) {
            Thread.ofPlatform().name("mawashi-keys").daemon().start(this::awaitQ);
            @Nullable TopReading before = null;
            do {
                try {
                    TopReading reading = read(broker);
                    screen.show(Screen.size().of(reading, before));
                    before = reading;
                } catch (RedisFailure | UncheckedIOException e) {
                    String trouble = String.valueOf(e.getMessage());
                    screen.show(Screen.size().withTrouble(trouble, before));
                }
            } while (!quit.await(interval, TimeUnit.SECONDS));
        }
    }

    /// A terminal that is gone ends it too.
    private void awaitQ() {
        try {
            int key;
            do {
                key = System.in.read();
            } while (key >= 0 && key != 'q');
        } catch (IOException _) {
            // Nothing can be pressed any more.
        }
        quit.countDown();
    }

    /// On connections of its own, so that one that broke is not asked again.
    private TopReading read(RedisBroker broker) {
        try (Inspector inspector = new Inspector(broker.connect("top"), context.clock());
                ProcessReader processes = new ProcessReader(broker.connect("top"))) {
            return new TopReading(
                    context.clock().instant(),
                    inspector.stats(),
                    processes.processes(),
                    processes.work());
        }
    }
}
