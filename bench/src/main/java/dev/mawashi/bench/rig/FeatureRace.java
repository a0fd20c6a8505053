package dev.mawashi.bench.rig;

import dev.mawashi.wire.Keys;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Has a client push jobs with a feature, then a contestant run them.
public final class FeatureRace {
    /// The variable that names the feature to client and server.
    public static final String FEATURE = "BENCH_FEATURE";

    private final Ground ground;
    private final Race race;

    public FeatureRace(Ground ground) {
        this.ground = ground;
        race = new Race(ground, Payloads.NOOP);
    }

    /// The fields of a race, with the time of a push, and the bytes that Redis holds for a job
    /// beside its payload.
    ///
    /// @param contestant with a feature in its environment
    /// @throws BenchFailure as a race, and when locks are left
    public Run run(Contestant contestant) throws InterruptedException {
        BenchRedis redis = ground.redis();
        redis.clear();
        double seconds = push(contestant);
        int jobs = contestant.jobs();
        double bytes = redis.keyUse().bytes();
        long commands = redis.commands();
        Run run = race.runAsItIs(contestant, jobs);
        double done = redis.commands() - commands;
        long left = redis.size("HLEN", Keys.LOCKS);
        if (left > 0) {
            throw new BenchFailure(
                    String.format(Locale.ROOT, "%s left %,d locks", contestant.name(), left));
        }
        return run.with("push_us_per_job", seconds * 1e6 / jobs)
                .with("lock_bytes_per_job", bytes / jobs)
                .with("redis_commands_per_job", done / jobs);
    }

    /// @return seconds that all pushes took, without the start of their process
    private double push(Contestant contestant) throws InterruptedException {
        Map<String, String> variables = new HashMap<>(contestant.environment());
        variables.put("REDIS_URL", ground.redis().url());
        variables.put("BENCH_PUSH", Integer.toString(contestant.jobs()));
        String app = Checkout.app("features.rb").toString();
        List<String> command = List.of("ruby", "-W0", "-I", Checkout.gem().toString(), app);
        String printed = Programs.output(command, variables).strip();
        return Double.parseDouble(printed.substring(printed.lastIndexOf('\n') + 1));
    }
}
