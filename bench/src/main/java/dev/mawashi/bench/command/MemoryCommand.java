package dev.mawashi.bench.command;

import dev.mawashi.bench.report.Column;
import dev.mawashi.bench.report.Figures;
import dev.mawashi.bench.report.Result;
import dev.mawashi.bench.rig.Contestant;
import dev.mawashi.bench.rig.Contestants;
import dev.mawashi.bench.rig.Payloads;
import dev.mawashi.bench.rig.Row;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
        footer = {
            "  mawashi bench memory",
            "  mawashi bench memory --app examples/rails",
            "  mawashi bench memory --app /srv/shop --rows mri-8x5,sidekiq-8x5",
        })
final class MemoryCommand implements Callable<Figures> {
    private static final int JOBS = 200_000;
    private static final int APP_JOBS = 4_000;
    private static final String RUBY = "ruby_pss_megabytes";
    private static final Figures.View VIEW =
            new Figures.View(
                    List.of(
                            new Column("Ruby PSS MB", RUBY, 0),
                            new Column("all PSS MB", "all_pss_megabytes", 0),
                            new Column("server RSS MB", "server_rss_megabytes", 0),
                            new Column("peaks MB", "peak_megabytes", 0),
                            new Column("least jobs", "least_jobs_of_a_process", 0),
                            RaceView.RATE),
                    false,
                    List.of("all_pss_megabytes", "peak_megabytes"));

    @Mixin private final Bench bench = new Bench();
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

    @Override
    public Figures call() throws InterruptedException {
        int count = jobs == null ? app == null ? JOBS : APP_JOBS : jobs;
        bench.within("--jobs", count, Bench.JOBS_MAX);
        if (app != null && !Files.isRegularFile(app.resolve("config/application.rb"))) {
            throw bench.wrong("--app " + app + " is no Rails app: no config/application.rb in it");
        }
        String usual = app == null ? "mri-%dx10,jruby-10,sidekiq-%dx10" : "mri-4x5,sidekiq-4x5";
        List<Row> chosen = rows.rows(bench, usual);
        return bench.run(ground -> {
            Contestants all =
                    app == null
                            ? Contestants.of(ground, "noop.rb")
                            : Contestants.ofRails(ground, app);
            Payloads payloads = app == null ? Payloads.NOOP : Payloads.OBJECTS;
            List<Contestant> entered = bench.enter(all, chosen, _ -> count);
            List<Result> results = bench.race(ground, payloads, entered, VIEW);
            return bench.figures(ground, results)
                    .race(VIEW, RaceView.withFastest(results, RaceView::isSidekiq, RUBY, RUBY));
        });
    }
}
