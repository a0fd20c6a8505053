package dev.mawashi.bench.rig;

import dev.mawashi.wire.Keys;
import java.util.List;
import java.util.Map;

/// Has a server work off a queue three times and times the last lap, so that neither its start nor
/// code that is not compiled yet is in the figures.
///
/// The queue is made under another name and renamed when it is whole. A run counts only if
/// afterwards, with the processes gone, each job was either done or is still queued, and nothing is
/// anywhere else.
public final class ScaleRace {
    private static final int LAPS_BEFORE = 2;

    private final Ground ground;

    /// A server with its jobs.
    ///
    /// @param contestant with the jobs that are timed
    /// @param queues that the jobs are spread over
    /// @param behind jobs in the queue beyond those that are timed
    public record Load(Contestant contestant, List<String> queues, Payloads payloads, int behind) {
        public Load {
            queues = List.copyOf(queues);
        }
    }

    public ScaleRace(Ground ground) {
        this.ground = ground;
    }

    /// One run.
    ///
    /// @throws BenchFailure when jobs were lost, run twice, or not done in time
    public Run run(Load load) throws InterruptedException {
        int jobs = load.contestant().jobs();
        int queued = jobs + load.behind();
        try (Stint stint = Stint.start(ground, load.contestant())) {
            stint.awaitServers();
            for (int before = 0; before < LAPS_BEFORE; before++) {
                lap(load, stint, jobs);
            }
            Run lap = lap(load, stint, queued);
            List<String> lists = load.queues().stream().map(Keys::queue).toList();
            stint.finish(lists, (long) LAPS_BEFORE * jobs + queued);
            return lap;
        }
    }

    /// Fills the queues and waits until as many jobs were done as are timed.
    private Run lap(Load load, Stint stint, int queued) throws InterruptedException {
        BenchRedis redis = ground.redis();
        ContestantProcesses crew = stint.crew();
        redis.stage(queued, load.payloads(), load.queues());
        long before = stint.tally().read();
        long allocated = crew.allocatedBytes();
        Map<String, Double> parts = crew.parts();
        double serverBefore = crew.cpuSeconds();
        double redisBefore = redis.cpuSeconds();
        double began = ground.nanos();
        redis.release(load.queues());
        long expected = before + load.contestant().jobs();
        stint.await("all jobs", () -> stint.tally().read() >= expected);
        double server = crew.cpuSeconds() - serverBefore;
        double used = redis.cpuSeconds() - redisBefore;
        Tally.Moment end = stint.tally().moments().getLast();
        double seconds = (end.nanos() - began) / 1e9;
        double done = end.done() - before;
        Run busiest = busiest(parts, crew.parts(), seconds);
        return Run.EMPTY
                .with("jobs_per_second", done / seconds)
                .with("megabytes_per_second", done * load.payloads().bytes() / seconds / 1e6)
                .with("server_us_per_job", server * 1e6 / done)
                .with("redis_us_per_job", used * 1e6 / done)
                .with("allocated_bytes_per_job", (crew.allocatedBytes() - allocated) / done)
                .with("server_cores", server / seconds)
                .with("redis_cores", used / seconds)
                .with(busiest);
    }

    /// Which thread of a JVM or Ruby process was on a core for the largest part of the time.
    ///
    /// @param before seconds of each by number and name
    public static Run busiest(
            Map<String, Double> before, Map<String, Double> after, double seconds) {
        String busiest = "0 none";
        double most = 0;
        for (Map.Entry<String, Double> one : after.entrySet()) {
            double cores = (one.getValue() - before.getOrDefault(one.getKey(), 0.0)) / seconds;
            if (cores > most) {
                busiest = one.getKey();
                most = cores;
            }
        }
        return Run.EMPTY
                .with("busiest_thread_cores", most)
                .with("busiest", busiest.substring(busiest.indexOf(' ') + 1));
    }
}
