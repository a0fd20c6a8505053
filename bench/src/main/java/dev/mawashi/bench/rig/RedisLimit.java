package dev.mawashi.bench.rig;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The limit of Redis itself on this machine: `redis-benchmark` moves the same payloads from list
/// to list one by one, 100 commands to a round trip on one connection.
public final class RedisLimit {
    private static final String PROGRAM = "redis-benchmark";
    private static final String USER = "limit";
    private static final int MOVES_MIN = 100_000;
    private static final int MOVES_MAX = 500_000;
    private static final String PIPELINE = "100";
    private static final Pattern RATE = Pattern.compile("\"LMOVE[^\"]*\",\"([0-9.]+)\"");

    private final BenchRedis redis;

    public RedisLimit(BenchRedis redis) {
        this.redis = redis;
    }

    public static boolean isHere() {
        return Programs.find(PROGRAM).isPresent();
    }

    /// Moves per second.
    ///
    /// @param jobs how many payloads are moved, within bounds that give a rate in a few seconds
    public double measure(int jobs) throws InterruptedException {
        int moved = Math.clamp(jobs, MOVES_MIN, MOVES_MAX);
        redis.fill(moved, Payloads.NOOP, JobSource.SIDEKIQ);
        // The program takes its password on the command line, so its user can only do this.
        String password = UUID.randomUUID().toString();
        redis.call("ACL", "SETUSER", USER, "on", ">" + password, "~*", "+lmove", "+config|get");
        List<String> command = new ArrayList<>();
        command.addAll(List.of(PROGRAM, "-h", "127.0.0.1", "-p", Integer.toString(redis.port())));
        command.addAll(List.of("--user", USER, "-a", password, "-c", "1", "-P", PIPELINE));
        command.addAll(List.of("-n", Integer.toString(moved), "--csv"));
        command.addAll(List.of("LMOVE", "queue:" + BenchRedis.QUEUE, "moved", "RIGHT", "LEFT"));
        String answer = Programs.output(command);
        Matcher rate = RATE.matcher(answer);
        if (!rate.find()) {
            throw new BenchFailure(PROGRAM + " reported no rate: " + answer.strip());
        }
        return Double.parseDouble(rate.group(1));
    }
}
