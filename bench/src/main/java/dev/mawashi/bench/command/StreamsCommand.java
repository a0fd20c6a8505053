package dev.mawashi.bench.command;

import dev.mawashi.bench.report.Figures;
import dev.mawashi.bench.report.Multiples;
import dev.mawashi.bench.report.Result;
import dev.mawashi.bench.rig.BenchFailure;
import dev.mawashi.bench.rig.Contestant;
import dev.mawashi.bench.rig.Contestants;
import dev.mawashi.bench.rig.Ground;
import dev.mawashi.bench.rig.OpenStreams;
import dev.mawashi.bench.rig.PageProcess;
import dev.mawashi.bench.rig.Payloads;
import dev.mawashi.bench.rig.Race;
import dev.mawashi.bench.rig.Run;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `mawashi bench streams`.
@Command(
        name = "streams",
        description = {
            "No-op jobs while readers have the page open and are sent live figures, beside the same"
                    + " without a page."
        },
        footer = {"  mawashi bench streams", "  mawashi bench streams --streams 20 --runs 5"})
final class StreamsCommand implements Callable<Figures> {
    private static final int STREAMS_MAX = 1_000;
    private static final String PATH = "/api/v1/live";
    private static final String RATE = "jobs_per_second_working";
    private static final Figures.View VIEW = RaceView.atWork("jobs_per_second_second_half");

    @Mixin private final Bench bench = new Bench();

    @Option(names = "--jobs", paramLabel = "N", description = "Jobs a run (1000000).")
    private int jobs = 1_000_000;

    @Option(names = "--streams", paramLabel = "N", description = "Readers (200).")
    private int streams = 200;

    @Option(names = "--row", paramLabel = "ROW", description = "The server (jruby-10).")
    private String row = "jruby-10";

    @Override
    public Figures call() throws InterruptedException {
        bench.within("--jobs", jobs, Bench.JOBS_MAX);
        bench.within("--streams", streams, STREAMS_MAX);
        return bench.run(ground -> {
            Contestant server = Contestants.of(ground, "noop.rb").of(bench.row("--row", row), jobs);
            Contestant watched = server.named(server.name() + ", " + streams + " streams");
            List<Contestant> all = List.of(server.named(server.name() + ", no page"), watched);
            List<Result> results =
                    bench.takeTurns(
                            all,
                            one -> one.equals(watched) ? watched(ground, one) : race(ground, one),
                            VIEW.columns());
            return bench.figures(ground, results)
                    .race(VIEW, Optional.of(new Multiples(results.getFirst(), RATE, RATE)));
        });
    }

    private static Run race(Ground ground, Contestant one) throws InterruptedException {
        return new Race(ground, Payloads.NOOP).run(one);
    }

    private Run watched(Ground ground, Contestant one) throws InterruptedException {
        try (PageProcess page = PageProcess.start(ground);
                OpenStreams open = OpenStreams.open(page.url() + PATH, streams)) {
            long before = open.bytes();
            Run run = race(ground, one);
            if (open.bytes() == before) {
                throw new BenchFailure("the readers were sent nothing while jobs ran");
            }
            return run.with("stream_bytes", open.bytes() - before);
        }
    }
}
