package dev.mawashi.cli;

import dev.mawashi.broker.DeadLimits;
import dev.mawashi.broker.RedisBroker;
import dev.mawashi.client.Client;
import dev.mawashi.client.NewJob;
import dev.mawashi.client.PayloadForm;
import dev.mawashi.figures.Inspector;
import dev.mawashi.figures.Stats;
import dev.mawashi.redis.RedisAddress;
import dev.mawashi.server.Logging;
import dev.mawashi.server.Server;
import dev.mawashi.server.Signals;
import java.io.PrintWriter;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// The demo once everything runs: it enqueues jobs of several kinds, waits for them, and prints the
/// counts of Redis and of the server.
final class DemoRun {
    private static final int PLAIN = 15_000;
    private static final int DIGEST = 4_500;
    private static final int FLAKY = 300;
    private static final int LATER = 200;
    private static final int LATER_SECONDS = 3;
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    /// The longest wait. A job that fails once is retried within some ten seconds.
    private static final long LIMIT_NANOS = TimeUnit.MINUTES.toNanos(5);

    private final RedisBroker broker;
    private final Server server;
    private final Signals signals;
    private final PrintWriter err;
    private final InstantSource clock = InstantSource.system();
    private final PayloadForm form = new PayloadForm(clock, new SecureRandom());

    /// The seconds that each kind took: enqueueing it, and until it had run.
    private record Took(double flakyFirst, double plain, double digest, double rest) {}

    DemoRun(RedisAddress redis, Server server, Signals signals, PrintWriter err) {
        this.broker = new RedisBroker(redis, DeadLimits.DEFAULT);
        this.server = server;
        this.signals = signals;
        this.err = err;
    }

    /// Runs it and prints the table.
    ///
    /// @return the command's exit code: 0 when every job was done
    int print(PrintWriter out, double bootSeconds) {
        long began = System.nanoTime();
        long runs = FLAKY * 2L + LATER + PLAIN + DIGEST;
        Took took = work(runs);
        if (server.ended() < runs) {
            out.printf(Locale.ROOT, "Ended early, after %,d of %,d runs.%n", server.ended(), runs);
            return Main.FAILED;
        }
        out.printf("%n%s%n", table(took));
        out.printf(
                Locale.ROOT,
                "Ruby and the app were up after %.1f s, all jobs done %.1f s later.%n",
                bootSeconds,
                (System.nanoTime() - began) / 1e9);
        return conclude(out);
    }

    private Took work(long runs) {
        ProgressBar bar = new ProgressBar(err, Logging.isTerminal(), runs);
        try (Client client = new Client(broker.enqueuing())) {
            Instant later = clock.instant().plusSeconds(LATER_SECONDS);
            client.enqueue(jobs(LATER, "Hello::Reminder", "[\"tea\"]", later));
            client.enqueue(jobs(FLAKY, "Hello::FlakyOnce", "[]", null));
            double flakyFirst = await(bar, FLAKY, "fails once");
            client.enqueue(jobs(PLAIN, "Hello::Plain", "[\"world\"]", null));
            double plain = await(bar, FLAKY + PLAIN, "plain");
            client.enqueue(jobs(DIGEST, "Hello::Digest", "[\"mawashi\",100]", null));
            double digest = await(bar, FLAKY + PLAIN + DIGEST, "CPU-bound");
            double rest = await(bar, runs, "waiting for what is scheduled and retried");
            return new Took(flakyFirst, plain, digest, rest);
        } finally {
            bar.clear();
        }
    }

    private static TextTable table(Took took) {
        TextTable table = new TextTable("jobs", "count", "runs", "failed", "seconds", "jobs/s");
        row(table, "plain", PLAIN, PLAIN, 0, took.plain());
        row(table, "CPU-bound", DIGEST, DIGEST, 0, took.digest());
        table.row(
                "fail once",
                TextTable.number(FLAKY),
                TextTable.number(FLAKY * 2L),
                TextTable.number(FLAKY),
                seconds(took.flakyFirst() + took.plain() + took.digest() + took.rest()),
                "(waited for their retry)");
        table.row(
                "scheduled",
                TextTable.number(LATER),
                TextTable.number(LATER),
                "0",
                seconds(LATER_SECONDS),
                "(enqueued for then)");
        return table;
    }

    private int conclude(PrintWriter out) {
        try (Inspector inspector = new Inspector(broker.connect("demo"), clock)) {
            Stats stats = inspector.stats();
            long left = stats.enqueued() + stats.scheduled() + stats.retries() + stats.dead();
            out.printf(
                    "In Redis: %s waiting, %s scheduled, %s to retry, %s dead.%n%n",
                    stats.enqueued(), stats.scheduled(), stats.retries(), stats.dead());
            out.printf(
                    "Next: your own app, with  %s run -r FILE.rb  (see --help)%n",
                    DemoCommand.command());
            return left == 0 ? Main.DONE : Main.FAILED;
        }
    }

    private static void row(
            TextTable table, String kind, long count, long runs, long failed, double seconds) {
        table.row(
                kind,
                TextTable.number(count),
                TextTable.number(runs),
                TextTable.number(failed),
                seconds(seconds),
                TextTable.number(Math.round(count / seconds)));
    }

    private static String seconds(double seconds) {
        return String.format(Locale.ROOT, "%.2f", seconds);
    }

    private List<NewJob> jobs(int count, String jobClass, String args, @Nullable Instant at) {
        List<NewJob> jobs = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            jobs.add(form.job(jobClass, "default", args, at));
        }
        return jobs;
    }

    /// Waits until that many runs have ended; returns the seconds that took.
    private double await(ProgressBar bar, long runs, String what) {
        long began = System.nanoTime();
        long ended = server.ended();
        while (ended < runs && !signals.isStopAsked() && System.nanoTime() - began < LIMIT_NANOS) {
            bar.show(ended, what);
            LockSupport.parkNanos(LOOK_NANOS);
            ended = server.ended();
        }
        return (System.nanoTime() - began) / 1e9;
    }
}
