package dev.mawashi.bench.command;

import dev.mawashi.bench.report.Column;
import dev.mawashi.bench.report.Figures;
import dev.mawashi.bench.report.Result;
import dev.mawashi.bench.report.Spread;
import dev.mawashi.bench.rig.BenchFailure;
import dev.mawashi.bench.rig.BenchFolder;
import dev.mawashi.bench.rig.BenchPostgres;
import dev.mawashi.bench.rig.Contestant;
import dev.mawashi.bench.rig.Contestants;
import dev.mawashi.bench.rig.Ground;
import dev.mawashi.bench.rig.Payloads;
import dev.mawashi.bench.rig.Programs;
import dev.mawashi.bench.rig.Race;
import dev.mawashi.bench.rig.Row;
import dev.mawashi.bench.rig.Run;
import dev.mawashi.bench.rig.SlowService;
import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `mawashi bench app`.
@Command(
        name = "app",
        description = {
            "A job as most apps have them: an order of 1 KB in JSON, two SQL statements on"
                    + " PostgreSQL, a call of a service by HTTP that takes 20 ms, JSON out. What"
                    + " counts is the second half of a run, in which JRuby has compiled most of"
                    + " it. Needs PostgreSQL and the gems sequel and pg."
        },
        footer = {
            "  mawashi bench app",
            "  mawashi bench app --rows jruby-20,mri-2x10,sidekiq-2x10",
        })
final class AppCommand implements Callable<Figures> {
    private static final int PEER_SHARE = 5;
    // With ten threads a core the service's 20 ms would bound everybody, at almost the same rate.
    private static final String ROWS = "jruby-50,mri-%dx25,sidekiq-%dx10,sidekiq-%dx25";
    private static final Duration SERVICE_TIME = Duration.ofMillis(20);
    private static final String TABLES =
            """
            CREATE TABLE customers (id integer PRIMARY KEY, city text NOT NULL);
            INSERT INTO customers SELECT n, 'city ' || n FROM generate_series(0, 999) AS n;
            CREATE TABLE orders (id serial PRIMARY KEY, customer integer NOT NULL REFERENCES customers,
                cents bigint NOT NULL, items text NOT NULL)\
            """;
    private static final Figures.View VIEW =
            RaceView.warm()
                    .with(RaceView.OWN, new Column("a job p99 ms", "job_p99_ms", 1))
                    .with(RaceView.OWN, new Column("a job p50 ms", "job_p50_ms", 1));

    @Mixin private final Bench bench = new Bench();
    @Mixin private final RowsOption rows = new RowsOption();

    @Option(names = "--jobs", paramLabel = "N", description = "Jobs a run (30000).")
    private int jobs = 30_000;

    @Option(
            names = "--peer-jobs",
            paramLabel = "N",
            description = "The same for Sidekiq (a fifth of --jobs: its rate is flat).")
    private @Nullable Integer peerJobs;

    @Override
    public Figures call() throws InterruptedException {
        bench.within("--jobs", jobs, Bench.JOBS_MAX);
        int theirs = bench.share("--peer-jobs", peerJobs, jobs, PEER_SHARE);
        List<Row> chosen = rows.rows(bench, ROWS);
        Path sequel = sequel();
        return bench.run(ground -> {
            try (BenchPostgres postgres = BenchPostgres.start();
                    SlowService service = new SlowService(SERVICE_TIME)) {
                postgres.sql(TABLES);
                Path times = ground.folder().resolve("times");
                Path library =
                        BenchFolder.links(
                                ground.folder(), List.of(sequel, sequel.resolveSibling("sequel")));
                Rig rig = new Rig(ground, postgres, service, times, library);
                List<Contestant> entered = new ArrayList<>();
                for (Row row : chosen) {
                    int count = row.kind().isOurs() ? jobs : theirs;
                    for (Contestant one :
                            bench.enter(rig.contestants(), List.of(row), _ -> count)) {
                        entered.add(one.with(rig.environment(row)));
                    }
                }
                List<Result> results = bench.takeTurns(entered, rig::run, VIEW.columns());
                bench.note("on " + postgres.description());
                return bench.figures(ground, results).race(VIEW, RaceView.warmWithFastest(results));
            }
        });
    }

    /// The first file of the gem.
    private static Path sequel() {
        String script = "require 'pg'; require 'sequel'; puts $\".grep(/\\/sequel\\.rb\\z/)";
        String found = Programs.firstLine("ruby", "-e", script);
        if (!found.endsWith("/sequel.rb")) {
            throw new BenchFailure("ruby finds no sequel or pg (apt install ruby-sequel ruby-pg)");
        }
        return Path.of(found);
    }

    /// What the jobs of all contestants talk to.
    ///
    /// @param library where JRuby finds Sequel, which Debian has among MRI's own files
    /// @param times the folder where they write how long each took
    private record Rig(
            Ground ground, BenchPostgres postgres, SlowService service, Path times, Path library) {

        Contestants contestants() {
            return Contestants.of(ground, "app.rb");
        }

        Map<String, String> environment(Row row) {
            return Map.of(
                    "BENCH_POSTGRES", postgres.url(),
                    "BENCH_JDBC_DRIVER", driver(),
                    "BENCH_SHIPPING", service.url(),
                    "BENCH_THREADS", Integer.toString(row.threads()),
                    "BENCH_TIMES", times.toString(),
                    "RUBYLIB", library.toString(),
                    // JRuby does not look where the machine's ruby has its gems.
                    "GEM_PATH", Programs.gemPath());
        }

        private static String driver() {
            String path = System.getProperty("java.class.path");
            return Arrays.stream(path.split(File.pathSeparator, -1))
                    .filter(jar -> Path.of(jar).getFileName().toString().startsWith("postgresql-"))
                    .findFirst()
                    .orElseThrow();
        }

        Run run(Contestant contestant) throws InterruptedException {
            BenchFolder.empty(times);
            postgres.sql("TRUNCATE orders");
            Run run = new Race(ground, Payloads.ORDER).run(contestant);
            List<Double> millis =
                    BenchFolder.lines(times, "*.times").stream()
                            .map(Double::valueOf)
                            .sorted()
                            .toList();
            String written = postgres.sql("SELECT count(*) FROM orders");
            if (!written.equals(Integer.toString(contestant.jobs()))) {
                throw new BenchFailure(contestant.name() + " wrote " + written + " orders");
            }
            return run.with("job_p50_ms", Spread.percentile(millis, 50))
                    .with("job_p99_ms", Spread.percentile(millis, 99));
        }
    }
}
