package dev.mawashi.bench.command;

import dev.mawashi.bench.report.Figures;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// `mawashi bench all`: stands for the other commands with these settings, one after the other.
@Command(
        name = "all",
        description = {
            "Every benchmark, one after the other, with settings that take some 30 minutes on two"
                    + " cores. When one fails, the others go on."
        },
        footerHeading = "%nIt is:%n",
        footer = {
            AllCommand.STEPS,
            "with --peer where they take it.%n",
            "Examples:",
            "  mawashi bench all --peer sidekiq --report report.html",
            "  mawashi bench all --peer sidekiq --json > all.json",
        })
final class AllCommand implements Callable<Figures> {
    static final String STEPS =
            """
              noop --jobs 1000000 --runs 3 --runner jruby,mri --peer-jobs 50000
              noop --jobs 200000 --runs 2 --job-log --peer-jobs 30000
              noop --jobs 50000 --runs 2 --status --runner mri --peer-jobs 10000
              sha --jobs 150000 --forked-jobs 1500 --runs 2 --rows jruby-4,jruby-150,mri-1x50,mri-2x50,mri-3x50,fork-2,sidekiq-2x5,sidekiq-2x10,sidekiq-yjit-2x5,resque-2
              io --seconds 10 --runs 2
              fork --jobs 2000 --runs 2
              memory --jobs 100000 --runs 1
              sharing --runs 1
              latency --probes 500 --runs 2
              boot --runs 3
              garbage --jobs 100000 --runs 2
              backlog --jobs 100000 --backlog 5000000 --runs 2
              schedule --entries 1000000 --probes 200 --seconds 20 --burst 100000 --runs 1
              lines --megabytes 40 --passes 20 --runs 2
              threads --threads 100 --runs 1
              idle --seconds 10 --rest 10 --runs 1
              calls --runs 2
              rtt --jobs 500000 --peer-jobs 10000 --runs 2
              fanout --jobs 60000 --peer-jobs 4000 --runs 2
              page --calls 20 --runs 1
              streams --jobs 500000 --runs 2
              app --jobs 30000 --peer-jobs 6000 --runs 1
              scaling --jobs 150000 --runs 1 --to children=4\
            """;

    private static final List<String> TAKE_PEER = List.of("noop", "schedule");

    @Mixin private final PeerOption peer = new PeerOption();

    @SuppressWarnings("UnusedVariable") // Suite asks the parser for its values.
    @Mixin
    private final OutputOption output = new OutputOption();

    /// The command line of each benchmark.
    List<List<String>> steps() {
        peer.check();
        List<List<String>> steps = new ArrayList<>();
        for (String line : STEPS.lines().map(String::strip).toList()) {
            String name = line.split(" ", 2)[0];
            // The first benchmark finds the fastest peer.
            String peers = steps.isEmpty() ? peer.wordsOfBest() : peer.words();
            String all = TAKE_PEER.contains(name) ? line + peers : line;
            steps.add(List.of(all.split(" ")));
        }
        return steps;
    }

    /// [Suite] runs the others in its place.
    @Override
    public Figures call() {
        throw new IllegalStateException("all is no benchmark of its own");
    }
}
