package dev.mawashi.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `mawashi bench memory`.
@Command(
        name = "memory",
        description = {
            "Memory when the last job is done: resident sets, and proportional ones (PSS), in which"
                    + " what processes share counts once. No-op jobs; with --app jobs that make"
                    + " objects, in a copy of that Rails app."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  mawashi bench memory",
            "  mawashi bench memory --app examples/rails",
            "  mawashi bench memory --app /srv/shop --rows mri-8x5,sidekiq-8x5",
        })
final class MemoryCommand implements Callable<Integer> {
    private static final int JOBS = 200_000;
    private static final int APP_JOBS = 4_000;

    private static final List<Column<Figures>> COLUMNS =
            List.of(
                    RaceTable.megabytes(
                            "Ruby PSS MB",
                            "ruby_pss_megabytes",
                            run -> run.usage().memory().rubyProportional()),
                    RaceTable.megabytes(
                            "all PSS MB",
                            "all_pss_megabytes",
                            run -> run.usage().memory().allProportional()),
                    RaceTable.megabytes(
                            "server RSS MB",
                            "server_rss_megabytes",
                            run -> run.usage().memory().serverResident()),
                    RaceTable.megabytes(
                            "peaks MB", "peak_megabytes", run -> run.usage().peakBytes()),
                    new Column<>("least jobs", "least_jobs_of_a_process", 0, Figures::leastJobs),
                    new Column<>("jobs/s", "jobs_per_second", 0, Figures::totalRate));

    @Mixin private final Bench bench;
    @Mixin private final RowsOption rows = new RowsOption();

    @Option(
            names = "--jobs",
            paramLabel = "N",
            description = "Jobs a run (200000; with --app 4000).")
    private @Nullable Integer jobs;

    @Option(
            names = "--app",
            paramLabel = "FOLDER",
            description = "A Rails app, of which a copy with one initializer more is loaded.")
    private @Nullable Path app;

    MemoryCommand(Bench bench) {
        this.bench = bench;
    }

    @Override
    public Integer call() throws InterruptedException {
        int count = jobs == null ? app == null ? JOBS : APP_JOBS : jobs;
        bench.within("--jobs", count, Bench.JOBS_MAX);
        if (app != null && !Files.isRegularFile(app.resolve("config/application.rb"))) {
            throw bench.wrong("--app " + app + " is no Rails app: no config/application.rb in it");
        }
        Map<Row, Integer> jobsByRow = new LinkedHashMap<>();
        rows.rows(bench, defaults()).forEach(row -> jobsByRow.put(row, count));
        return bench.run(ground -> {
            Contestants contestants =
                    app == null
                            ? new Contestants(ground, "noop.rb")
                            : Contestants.ofRails(ground, app);
            RaceSetting setting =
                    new RaceSetting(bench, ground, app == null ? Payloads.NOOP : Payloads.OBJECTS);
            return new RaceTable(
                            setting,
                            COLUMNS,
                            MemoryCommand::comparison,
                            View.race(false, List.of("all_pss_megabytes", "peak_megabytes")))
                    .run(
                            "memory",
                            bench.enter(contestants, jobsByRow),
                            one -> one.name().startsWith("sidekiq-"));
        });
    }

    private List<String> defaults() {
        int cores = Machine.coresHere();
        return app == null
                ? List.of("mri-" + cores + "x10", "jruby-10", "sidekiq-" + cores + "x10")
                : List.of("mri-4x5", "sidekiq-4x5");
    }

    private static Comparison<Figures> comparison(Contestant reference) {
        return new Comparison<>(
                reference,
                run -> run.usage().memory().rubyProportional(),
                run -> run.usage().memory().rubyProportional());
    }
}
