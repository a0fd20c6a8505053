package dev.mawashi.bench;

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
            AllCommand.NOOP,
            AllCommand.NOOP_LOG,
            AllCommand.SHA,
            AllCommand.IO,
            AllCommand.FORK,
            AllCommand.MEMORY,
            AllCommand.LATENCY,
            AllCommand.BOOT,
            AllCommand.GARBAGE,
            AllCommand.BACKLOG,
            AllCommand.SCHEDULE,
            AllCommand.LINES,
            AllCommand.THREADS,
            AllCommand.IDLE,
            AllCommand.RTT,
            AllCommand.FANOUT,
            AllCommand.SCALING,
            "with --peer where they take it.%n",
            "Examples:",
            "  mawashi bench all --peer sidekiq --report report.html",
            "  mawashi bench all --peer sidekiq --json > all.json",
        })
final class AllCommand implements Callable<Integer> {
    static final String NOOP =
            "  noop --jobs 1000000 --runs 3 --runner jruby,mri --peer-jobs 50000";
    static final String NOOP_LOG = "  noop --jobs 200000 --runs 2 --job-log --peer-jobs 30000";
    static final String SHA =
            "  sha --jobs 150000 --forked-jobs 1500 --runs 2 --rows"
                    + " jruby-4,jruby-150,mri-1x50,mri-2x50,mri-3x50,fork-2,sidekiq-2x5,sidekiq-2x10,sidekiq-yjit-2x5,resque-2";
    static final String IO = "  io --seconds 10 --runs 2";
    static final String FORK = "  fork --jobs 2000 --runs 2";
    static final String MEMORY = "  memory --jobs 100000 --runs 1";
    static final String LATENCY = "  latency --probes 500 --runs 2";
    static final String BOOT = "  boot --runs 3";
    static final String GARBAGE = "  garbage --jobs 100000 --runs 2";
    static final String BACKLOG = "  backlog --jobs 100000 --backlog 5000000 --runs 2";
    static final String SCHEDULE =
            "  schedule --entries 1000000 --probes 200 --seconds 20 --burst 100000 --runs 1";
    static final String LINES = "  lines --megabytes 40 --passes 20 --runs 2";
    static final String THREADS = "  threads --threads 100 --runs 1";
    static final String IDLE = "  idle --seconds 10 --rest 10 --runs 1";
    static final String RTT = "  rtt --jobs 500000 --peer-jobs 10000 --runs 2";
    static final String FANOUT = "  fanout --jobs 20000 --peer-jobs 2000 --runs 2";
    static final String SCALING = "  scaling --jobs 150000 --runs 1 --to children=4";

    private static final List<String> TAKE_PEER = List.of("noop", "schedule");
    private static final List<String> LINES_OF_ALL =
            List.of(
                    NOOP, NOOP_LOG, SHA, IO, FORK, MEMORY, LATENCY, BOOT, GARBAGE, BACKLOG,
                    SCHEDULE, LINES, THREADS, IDLE, RTT, FANOUT, SCALING);

    @Mixin private final PeerOption peer = new PeerOption();

    @SuppressWarnings("UnusedVariable") // Suite asks the parser for its values.
    @Mixin
    private final OutputOption output = new OutputOption();

    /// The words of each.
    List<List<String>> steps() {
        peer.check();
        return LINES_OF_ALL.stream().map(this::words).toList();
    }

    private List<String> words(String line) {
        String name = line.strip().split(" ", 2)[0];
        String all = TAKE_PEER.contains(name) ? line + peerOf(line) : line;
        return List.of(all.strip().split(" +", -1));
    }

    private String peerOf(String line) {
        return line.equals(NOOP) ? peer.wordsOfBest() : peer.words();
    }

    /// [Suite] runs the others in its place.
    @Override
    public Integer call() {
        throw new IllegalStateException("all is no benchmark of its own");
    }
}
