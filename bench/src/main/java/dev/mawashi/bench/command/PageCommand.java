package dev.mawashi.bench.command;

import dev.mawashi.bench.report.Column;
import dev.mawashi.bench.report.Figures;
import dev.mawashi.bench.report.Result;
import dev.mawashi.bench.rig.Contestant;
import dev.mawashi.bench.rig.Ground;
import dev.mawashi.bench.rig.JobSource;
import dev.mawashi.bench.rig.PageLoad;
import dev.mawashi.bench.rig.PageProcess;
import dev.mawashi.bench.rig.PageReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `mawashi bench page`.
@Command(
        name = "page",
        description = {
            "How long pages of mawashi web take with millions of jobs in Redis, and how long one"
                    + " command of theirs holds Redis. Each is read once before, uncounted."
        },
        footer = {
            "  mawashi bench page",
            "  mawashi bench page --dead 10000 --queued 10000 --paths /,/dead --runs 1"
        })
final class PageCommand implements Callable<Figures> {
    private static final int CALLS_MAX = 10_000;
    private static final int MISSING = 404;
    private static final int OTHERS_MAX = 100_000;
    private static final Figures.View VIEW =
            new Figures.View(
                    List.of(
                            new Column("median ms", "median_ms", 1),
                            new Column("worst ms", "worst_ms", 1),
                            new Column("Redis held ms", "redis_held_ms_max", 2)),
                    false,
                    List.of("worst_ms"));

    @Mixin private final Bench bench = new Bench();

    @Option(names = "--dead", paramLabel = "N", description = "Jobs in the dead set (1000000).")
    private int dead = 1_000_000;

    @Option(names = "--queued", paramLabel = "N", description = "Jobs in a queue (5000000).")
    private int queued = 5_000_000;

    @Option(names = "--calls", paramLabel = "N", description = "Calls of each in a run (50).")
    private int calls = 50;

    @Option(
            names = "--paths",
            paramLabel = "PATH",
            split = ",",
            description = "These pages alone (all of them, deep parts, and searches).")
    private List<String> paths = List.of();

    @Override
    public Figures call() throws InterruptedException {
        bench.within("--dead", dead, Bench.JOBS_MAX);
        bench.within("--queued", queued, Bench.JOBS_MAX);
        bench.within("--calls", calls, CALLS_MAX);
        return bench.run(ground -> {
            PageLoad.fill(ground.redis(), dead, queued, Math.min(dead, OTHERS_MAX));
            try (PageProcess page = PageProcess.start(ground);
                    PageReader reader = new PageReader(page.url(), ground.redis())) {
                return measure(ground, reader);
            }
        });
    }

    private Figures measure(Ground ground, PageReader reader) throws InterruptedException {
        List<Contestant> all = new ArrayList<>();
        for (String path : paths.isEmpty() ? everything() : paths) {
            if (reader.status(path) == MISSING) {
                bench.note(path + " is left out: there is no such page");
            } else {
                String what = "GET " + path;
                all.add(new Contestant(path, what, List.of(), Map.of(), 1, calls, JobSource.NONE));
            }
        }
        List<Result> results =
                bench.takeTurns(all, one -> reader.read(one.name(), one.jobs()), VIEW.columns());
        return bench.figures(ground, results).rows(VIEW, Optional.empty());
    }

    private List<String> everything() {
        String middle = PageLoad.score(dead / 2) + "-" + PageLoad.jid(dead / 2);
        return List.of(
                "/",
                "/queues",
                "/queues/default",
                "/queues/default?from=" + (queued - 1),
                "/queues/default?jid=none",
                "/busy",
                "/retries",
                "/scheduled",
                "/dead",
                "/dead?from=" + dead / 2,
                "/dead?error=none",
                "/dead/" + middle,
                "/failed",
                "/classes",
                "/processes",
                "/jvm",
                "/redis",
                "/metrics",
                "/stats",
                "/api/v1/stats",
                "/api/v1/queues",
                "/api/v1/queues/default/jobs",
                "/api/v1/dead",
                "/api/v1/dead?error=none",
                "/api/v1/history");
    }
}
