package dev.mawashi.cli;

import dev.mawashi.broker.DeadLimits;
import dev.mawashi.broker.RedisBroker;
import dev.mawashi.client.Client;
import dev.mawashi.client.NewJob;
import dev.mawashi.client.PayloadForm;
import dev.mawashi.figures.Inspector;
import dev.mawashi.redis.RedisAddress;
import dev.mawashi.server.Signals;
import dev.mawashi.wire.JsonFields;
import java.io.PrintWriter;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.SequencedMap;

/// The demo while its page is up: it enqueues jobs of several kinds into several queues, so that
/// the page shows something, until Ctrl-C.
final class DemoPage {
    private static final String CRITICAL = "critical";
    private static final String DEFAULT = "default";
    private static final String REPORTS = "reports";

    private static final Duration PAUSE = Duration.ofMillis(250);
    private static final int JOBS_EACH_TIME = 12;

    /// Above that nothing is added: somebody has stopped the work to see what happens.
    private static final int WAITING_MAX = 2_000;

    private static final int SCHEDULED = 40;
    private static final int FAILING = 18;
    private static final int HOPELESS = 7;

    private final RedisBroker broker;
    private final Signals signals;
    private final InstantSource clock = InstantSource.system();
    private final PayloadForm form = new PayloadForm(clock, new SecureRandom());

    /// The same picture each time.
    private final Random random = new Random(1);

    DemoPage(RedisAddress redis, Signals signals) {
        broker = new RedisBroker(redis, DeadLimits.DEFAULT);
        this.signals = signals;
    }

    /// The queues, by their weights.
    static SequencedMap<String, Integer> queues() {
        SequencedMap<String, Integer> weights = new LinkedHashMap<>();
        weights.put(CRITICAL, 3);
        weights.put(DEFAULT, 2);
        weights.put(REPORTS, 1);
        return weights;
    }

    /// Returns once a stop was asked for.
    void show(PrintWriter out, String url) {
        out.println("The page is at " + url + ", with jobs that come and go, until Ctrl-C.");
        out.flush();
        try (Client client = new Client(broker.enqueuing());
                Inspector inspector = new Inspector(broker.connect("demo"), clock)) {
            client.enqueue(odd());
            while (!signals.awaitStop(PAUSE)) {
                if (inspector.stats().enqueued() < WAITING_MAX) {
                    client.enqueue(some());
                }
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /// Those that wait for their time, for their next try, or are dead.
    private List<NewJob> odd() {
        List<NewJob> jobs = new ArrayList<>();
        for (int i = 0; i < SCHEDULED; i++) {
            Instant at = clock.instant().plusSeconds(60L * (i + 1) * (i + 1));
            jobs.add(form.job("Hello::Reminder", DEFAULT, "[\"tea for table " + i + "\"]", at));
        }
        for (int i = 0; i < FAILING; i++) {
            JsonFields order =
                    new JsonFields().number("order", 4_711 + i).decimal("total", 10.5 + i, 1);
            jobs.add(form.job("Hello::Invoice", CRITICAL, "[" + order + "]", null));
        }
        for (int i = 0; i < HOPELESS; i++) {
            jobs.add(form.job("Hello::Import", REPORTS, "[\"stock-" + i + ".csv\"]", null));
        }
        return jobs;
    }

    private List<NewJob> some() {
        List<NewJob> jobs = new ArrayList<>();
        for (int i = 0; i < JOBS_EACH_TIME; i++) {
            jobs.add(
                    switch (random.nextInt(24)) {
                        case 0 -> export();
                        case 1, 2, 3 -> form.job("Hello::Digest", REPORTS, "[\"m\",2000]", null);
                        case 4, 5, 6, 7, 8 ->
                                form.job("Hello::Digest", DEFAULT, "[\"m\",200]", null);
                        default -> form.job("Hello::Plain", CRITICAL, "[\"world\"]", null);
                    });
        }
        return jobs;
    }

    private NewJob export() {
        String args =
                String.format(
                        Locale.ROOT,
                        "[%d,%.1f]",
                        random.nextInt(1_000),
                        0.5 + 3 * random.nextDouble());
        return form.job("Hello::Export", REPORTS, args, null);
    }
}
