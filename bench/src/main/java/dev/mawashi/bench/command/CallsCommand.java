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
import dev.mawashi.bench.rig.Row;
import dev.mawashi.bench.rig.Stint;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `mawashi bench calls`.
@Command(
        name = "calls",
        description = {
            "What a call of the command line takes, as scripts and probes make it beside a server"
                    + " that has nothing to do: CPU, of all that it starts too, and time. Commands"
                    + " start with the cache that the first one makes."
        },
        footer = {"  mawashi bench calls", "  mawashi bench calls --calls 100 --runs 5"})
final class CallsCommand implements Callable<Figures> {
    private static final int CALLS_MAX = 10_000;
    private static final Figures.View VIEW =
            new Figures.View(
                    List.of(
                            new Column("CPU s/call", "cpu_seconds_per_call", 3),
                            new Column("s/call", "seconds_per_call", 3)),
                    false,
                    List.of("seconds_per_call"));

    @Mixin private final Bench bench = new Bench();

    @Option(names = "--calls", paramLabel = "N", description = "Calls of each in a run (20).")
    private int calls = 20;

    @Override
    public Figures call() throws InterruptedException {
        bench.within("--calls", calls, CALLS_MAX);
        return bench.run(ground -> {
            Contestant server = Contestants.of(ground, "noop.rb").of(Row.parse("mri-1x1"), 1);
            try (Stint stint = Stint.start(ground, server)) {
                stint.work(1);
                stint.awaitServers();
                List<Contestant> all = contestants(ground, stint.server().pid());
                for (Contestant one : all) {
                    Calls.of(one.doing(1)); // It makes the cache.
                }
                List<Result> results = bench.takeTurns(all, Calls::of, VIEW.columns());
                stint.finish();
                return bench.figures(ground, results).rows(VIEW, Optional.empty());
            }
        });
    }

    private List<Contestant> contestants(Ground ground, long server) {
        List<Contestant> all = new ArrayList<>();
        for (String name : List.of("stats", "queues", "retries", "processes")) {
            all.add(contestant(ground, name, ground.launcher(), List.of(name, "--json")));
        }
        // The launcher does this one itself.
        List<String> words = List.of("health", Long.toString(server));
        all.add(contestant(ground, "health", Checkout.launcher(), words));
        return all;
    }

    private Contestant contestant(
            Ground ground, String name, List<String> launcher, List<String> words) {
        List<String> command = new ArrayList<>(launcher);
        command.addAll(words);
        Map<String, String> variables = Map.of("REDIS_URL", ground.redis().url());
        String description = "mawashi " + String.join(" ", words);
        return new Contestant(name, description, command, variables, 1, calls, JobSource.NONE);
    }
}
