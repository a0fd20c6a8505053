package dev.mawashi.bench.command;

import dev.mawashi.bench.report.Column;
import dev.mawashi.bench.report.Figures;
import dev.mawashi.bench.report.Result;
import dev.mawashi.bench.rig.Calls;
import dev.mawashi.bench.rig.Checkout;
import dev.mawashi.bench.rig.Contestant;
import dev.mawashi.bench.rig.Contestants;
import dev.mawashi.bench.rig.Ground;
import dev.mawashi.bench.rig.JobSource;
import dev.mawashi.bench.rig.PageLoad;
import dev.mawashi.bench.rig.PageProcess;
import dev.mawashi.bench.rig.PageReader;
import dev.mawashi.bench.rig.Row;
import dev.mawashi.bench.rig.Stint;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Benchmarks of what operators call: pages, and commands.
final class Operators {
    private static final int MISSING = 404;
    private static final int OTHERS_MAX = 100_000;

    private Operators() {}

    static Figures page(Bench bench, Ground ground) throws InterruptedException {
        int dead = bench.number("--dead");
        int others = Math.min(dead, OTHERS_MAX);
        PageLoad.fill(ground.redis(), dead, bench.number("--queued"), others);
        try (PageProcess page = PageProcess.start(ground);
                PageReader reader = new PageReader(page.url(), ground.redis())) {
            return page(bench, reader);
        }
    }

    private static Figures page(Bench bench, PageReader reader) throws InterruptedException {
        Figures.View view =
                Figures.View.lessIsBetter(
                                new Column("median ms", "median_ms", 1),
                                new Column("worst ms", "worst_ms", 1),
                                new Column("Redis held ms", "redis_held_ms_max", 2))
                        .drawing("worst_ms");
        int calls = bench.number("--calls");
        List<Contestant> all = new ArrayList<>();
        List<String> asked = bench.words("--paths");
        for (String path : asked.isEmpty() ? paths(bench) : asked) {
            if (reader.status(path) == MISSING) {
                bench.note(path + " is left out: there is no such page");
            } else {
                String what = "GET " + path;
                all.add(new Contestant(path, what, List.of(), Map.of(), 1, calls, JobSource.NONE));
            }
        }
        List<Result> results =
                bench.takeTurns(all, one -> reader.read(one.name(), calls), view.columns());
        return bench.figures(results).rows(view, Optional.empty());
    }

    private static List<String> paths(Bench bench) {
        int middle = bench.number("--dead") / 2;
        return List.of(
                "/",
                "/queues",
                "/queues/default",
                "/queues/default?from=" + (bench.number("--queued") - 1),
                "/queues/default?jid=none",
                "/busy",
                "/retries",
                "/scheduled",
                "/dead",
                "/dead?from=" + middle,
                "/dead?error=none",
                "/dead/" + PageLoad.score(middle) + "-" + PageLoad.jid(middle),
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

    static Figures calls(Bench bench, Ground ground) throws InterruptedException {
        Figures.View view =
                Figures.View.lessIsBetter(
                                new Column("CPU s/call", "cpu_seconds_per_call", 3),
                                new Column("s/call", "seconds_per_call", 3))
                        .drawing("seconds_per_call");
        Contestant server = Contestants.of(ground, "noop.rb").of(Row.parse("mri-1x1"), 1);
        try (Stint stint = Stint.start(ground, server)) {
            stint.work(1);
            stint.awaitServers();
            List<Contestant> all = commands(ground, stint.server().pid(), bench.number("--calls"));
            for (Contestant one : all) {
                Calls.of(one.doing(1)); // It makes the cache.
            }
            List<Result> results = bench.takeTurns(all, Calls::of, view.columns());
            stint.finish();
            return bench.figures(results).rows(view, Optional.empty());
        }
    }

    private static List<Contestant> commands(Ground ground, long server, int calls) {
        List<Contestant> all = new ArrayList<>();
        for (String name : List.of("stats", "queues", "retries", "processes")) {
            all.add(command(ground, name, ground.launcher(), List.of(name, "--json"), calls));
        }
        // The launcher does this one itself.
        List<String> words = List.of("health", Long.toString(server));
        all.add(command(ground, "health", Checkout.launcher(), words, calls));
        return all;
    }

    private static Contestant command(
            Ground ground, String name, List<String> launcher, List<String> words, int calls) {
        List<String> command = new ArrayList<>(launcher);
        command.addAll(words);
        Map<String, String> variables = Map.of("REDIS_URL", ground.redis().url());
        String description = "mawashi " + String.join(" ", words);
        return new Contestant(name, description, command, variables, 1, calls, JobSource.NONE);
    }
}
