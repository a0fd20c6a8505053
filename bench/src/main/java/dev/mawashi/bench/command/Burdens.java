package dev.mawashi.bench.command;

import static dev.mawashi.bench.command.Views.LATE;
import static dev.mawashi.bench.command.Views.WORKING;
import static dev.mawashi.bench.report.Wording.text;

import dev.mawashi.bench.report.Figures;
import dev.mawashi.bench.report.Result;
import dev.mawashi.bench.rig.BenchFailure;
import dev.mawashi.bench.rig.Contestant;
import dev.mawashi.bench.rig.Contestants;
import dev.mawashi.bench.rig.DelayProxy;
import dev.mawashi.bench.rig.Ground;
import dev.mawashi.bench.rig.OpenStreams;
import dev.mawashi.bench.rig.PageProcess;
import dev.mawashi.bench.rig.Payloads;
import dev.mawashi.bench.rig.Race;
import dev.mawashi.bench.rig.Row;
import dev.mawashi.bench.rig.Run;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Races of one job server with itself, once as it is and once with more to bear: a long queue, a
/// Redis that is far off, readers of the page.
final class Burdens {
    private static final Figures.View AT_WORK = Views.atWork(LATE);
    private static final Figures.View LONG_QUEUE = Views.atWork("cpu_us_per_job");

    private Burdens() {}

    static Figures backlog(Bench bench) throws InterruptedException {
        int jobs = bench.number("--jobs");
        int backlog = bench.number("--backlog");
        if (backlog <= jobs) {
            throw bench.wrong("--backlog " + backlog + " must be larger than --jobs " + jobs);
        }
        return bench.run((_, ground) -> {
            Contestant server = server(bench, ground);
            Contestant large = server.named("long queue");
            Race race = new Race(ground, Payloads.NOOP);
            List<Result> results =
                    bench.takeTurns(
                            List.of(server.named("short queue"), large),
                            one -> race.run(one, one.equals(large) ? backlog : jobs),
                            LONG_QUEUE.columns());
            bench.note(String.format(Locale.ROOT, "the long queue holds %,d jobs", backlog));
            return bench.figures(results).race(LONG_QUEUE, Views.atWorkWithFirst(results));
        });
    }

    private static Contestant server(Bench bench, Ground ground) {
        Row row = bench.row();
        return bench.enter(Contestants.of(ground, "noop.rb"), row, bench.number("--jobs"))
                .orElseThrow(() -> new BenchFailure(row + " is not on this machine"));
    }

    static Figures streams(Bench bench, Ground ground) throws InterruptedException {
        int streams = bench.number("--streams");
        Contestant server = server(bench, ground);
        Contestant alone = server.named(server.name() + ", no page");
        Contestant watched = server.named(server.name() + ", " + streams + " streams");
        Race race = new Race(ground, Payloads.NOOP);
        List<Result> results =
                bench.takeTurns(
                        List.of(alone, watched),
                        one ->
                                one.equals(watched)
                                        ? watched(ground, race, one, streams)
                                        : race.run(one),
                        AT_WORK.columns());
        return bench.figures(results).race(AT_WORK, Views.atWorkWithFirst(results));
    }

    private static Run watched(Ground ground, Race race, Contestant one, int streams)
            throws InterruptedException {
        try (PageProcess page = PageProcess.start(ground);
                OpenStreams open = OpenStreams.open(page.url() + "/api/v1/live", streams)) {
            long before = open.bytes();
            Run run = race.run(one);
            if (open.bytes() == before) {
                throw new BenchFailure("the readers were sent nothing while jobs ran");
            }
            return run.with("stream_bytes", open.bytes() - before);
        }
    }

    static Figures rtt(Bench bench, Ground ground) throws InterruptedException {
        int port = ground.redis().port();
        Duration delay = Duration.ofMillis(bench.number("--ms"));
        try (DelayProxy near = DelayProxy.start(port, Duration.ZERO);
                DelayProxy far = DelayProxy.start(port, delay)) {
            return rtt(bench, ground, near, far);
        }
    }

    private static Figures rtt(Bench bench, Ground ground, DelayProxy near, DelayProxy far)
            throws InterruptedException {
        List<Contestant> all = new ArrayList<>();
        for (Contestant one : bench.enter(Contestants.of(ground, "noop.rb"))) {
            all.add(through(near, ground, one.named(one.name() + ", 0 ms")));
            String name = one.name() + ", " + bench.number("--ms") + " ms";
            all.add(through(far, ground, one.named(name)));
        }
        List<Result> results = bench.race(new Race(ground, Payloads.NOOP), all, AT_WORK);
        if (!near.isUsed() || !far.isUsed()) {
            throw new BenchFailure("the servers reached Redis by another way than the proxies");
        }
        for (int i = 0; i < results.size(); i += 2) {
            Result with = results.get(i + 1);
            double part = with.median(WORKING) / results.get(i).median(WORKING);
            bench.note(text("%s: %.2f of what it does without", with.name(), part));
        }
        return bench.figures(results).race(AT_WORK, Views.atWorkWithFirst(results));
    }

    private static Contestant through(DelayProxy proxy, Ground ground, Contestant one) {
        String direct = ":" + ground.redis().port();
        String url = ground.redis().url().replace(direct, ":" + proxy.port());
        return one.with(Map.of("REDIS_URL", url));
    }
}
