package dev.mawashi.bench.command;

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
import dev.mawashi.bench.rig.WarmRace;
import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/// `mawashi bench app`: what the jobs of all contestants talk to, and what they are checked by.
///
/// @param times the folder where the jobs write how long each took
/// @param library where JRuby finds Sequel, which Debian has among MRI's own files
record OrderApp(
        Ground ground, BenchPostgres postgres, SlowService service, Path times, Path library) {
    private static final Duration SERVICE_TIME = Duration.ofMillis(20);
    private static final String TABLES =
            """
            CREATE TABLE customers (id integer PRIMARY KEY, city text NOT NULL);
            INSERT INTO customers SELECT n, 'city ' || n FROM generate_series(0, 999) AS n;
            CREATE TABLE orders (id serial PRIMARY KEY, customer integer NOT NULL REFERENCES customers,
                cents bigint NOT NULL, items text NOT NULL)\
            """;

    static Figures measure(Bench bench) throws InterruptedException {
        Path sequel = sequel();
        return bench.run((_, ground) -> {
            try (BenchPostgres postgres = BenchPostgres.start();
                    SlowService service = new SlowService(SERVICE_TIME)) {
                postgres.sql(TABLES);
                Path times = ground.folder().resolve("times");
                List<Path> gem = List.of(sequel, sequel.resolveSibling("sequel"));
                Path library = BenchFolder.links(ground.folder(), gem);
                OrderApp app = new OrderApp(ground, postgres, service, times, library);
                List<Contestant> entered = new ArrayList<>();
                for (Row row : bench.rows()) {
                    bench.enter(Contestants.of(ground, "app.rb"), row, bench.jobs(row))
                            .map(one -> one.with(app.environment(row)))
                            .ifPresent(entered::add);
                }
                bench.note("on " + postgres.description());
                return bench.has(Warm.LIMIT) ? app.warm(bench, entered) : app.race(bench, entered);
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

    private Map<String, String> environment(Row row) {
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

    private Figures race(Bench bench, List<Contestant> entered) throws InterruptedException {
        Bench.Turn turn =
                one -> {
                    clear();
                    return checked(one, new Race(ground, Payloads.ORDER).run(one), one.jobs());
                };
        List<Result> results = bench.takeTurns(entered, turn, Views.WARM.columns());
        return bench.figures(results).race(Views.WARM, Views.warmWithFastest(results));
    }

    private Figures warm(Bench bench, List<Contestant> entered) throws InterruptedException {
        int limit = bench.number(Warm.LIMIT);
        Bench.Turn turn =
                one -> {
                    clear();
                    Run run =
                            WarmRace.take(
                                    ground,
                                    Payloads.ORDER,
                                    one,
                                    limit,
                                    () -> BenchFolder.truncate(times, "*.times"));
                    return checked(one, run, (long) run.of("jobs_done"));
                };
        List<Contestant> all = entered.stream().map(one -> one.doing(0)).toList();
        List<Result> results = bench.takeTurns(all, turn, Warm.COLUMNS);
        return Warm.fill(bench.figures(results), results);
    }

    private void clear() throws InterruptedException {
        BenchFolder.empty(times);
        postgres.sql("TRUNCATE orders");
    }

    /// @param jobs that were done
    private Run checked(Contestant contestant, Run run, long jobs) throws InterruptedException {
        List<Double> millis =
                BenchFolder.lines(times, "*.times").stream().map(Double::valueOf).sorted().toList();
        String written = postgres.sql("SELECT count(*) FROM orders");
        if (!written.equals(Long.toString(jobs))) {
            throw new BenchFailure(contestant.name() + " wrote " + written + " orders");
        }
        return run.with("job_p50_ms", Spread.percentile(millis, 50))
                .with("job_p99_ms", Spread.percentile(millis, 99));
    }
}
