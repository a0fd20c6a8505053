package dev.mawashi.bench.rig;

import static dev.mawashi.redis.RedisConnection.ascii;

import dev.mawashi.wire.Keys;
import java.util.List;
import java.util.Locale;

/// The contents of a fleet's Redis on a bad day.
public final class PageLoad {
    private static final double SECONDS = 1_763_696_400.0;

    private PageLoad() {}

    /// Empties Redis and fills it.
    ///
    /// @param dead jobs in the dead set, each with an error and some lines of a backtrace
    /// @param queued jobs in one queue
    /// @param others jobs in the retry set, and as many in the schedule
    public static void fill(BenchRedis redis, int dead, int queued, int others) {
        redis.fill(queued, Payloads.NOOP, JobSource.SIDEKIQ);
        add(redis, Keys.DEAD, dead);
        add(redis, Keys.RETRY, others);
        add(redis, Keys.SCHEDULE, others);
    }

    private static void add(BenchRedis redis, String set, int count) {
        redis.push(
                List.of(ascii("ZADD"), ascii(set)),
                0,
                count,
                number -> List.of(ascii(score(number)), ascii(failed(number))));
    }

    /// Of the n-th entry.
    public static String score(long number) {
        return String.format(Locale.ROOT, "%.3f", SECONDS + number / 10.0);
    }

    /// The id of the n-th entry.
    public static String jid(long number) {
        return String.format(Locale.ROOT, "b4c0ffee%016x", number);
    }

    private static String failed(long number) {
        StringBuilder frames = new StringBuilder();
        for (int line = 1; line <= 5; line++) {
            frames.append(line > 1 ? "," : "")
                    .append("\"/srv/shop/app/jobs/report_job.rb:%s:in `total'\"".formatted(line));
        }
        return String.format(
                Locale.ROOT,
                "{\"class\":\"ReportJob\",\"queue\":\"default\",\"args\":[%d,{\"month\":\"2026-11\"}],"
                        + "\"jid\":\"%s\",\"retry\":true,\"created_at\":%.3f,\"enqueued_at\":%.3f,"
                        + "\"error_class\":\"ReportError\",\"error_message\":\"no customer %d\","
                        + "\"failed_at\":%.3f,\"retry_count\":25,\"error_backtrace\":[%s]}",
                number,
                jid(number),
                SECONDS,
                SECONDS,
                number,
                SECONDS,
                frames);
    }
}
