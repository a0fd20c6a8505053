package dev.mawashi.web;

import dev.mawashi.redis.RedisConnection;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/// A Redis that has something of everything that pages show, and each name and text in it is the
/// same: any that an app, or somebody who may enqueue, could choose.
record FullRedis(RedisConnection redis, String text) {
    /// Of the entries of sets.
    static final String SCORE = "5";

    /// Fills an empty one.
    void fill() {
        String job = job();
        redis.call("SADD", "queues", text);
        redis.call("SADD", "paused", text);
        redis.call("LPUSH", "queue:" + text, job, text);
        for (String set : List.of("retry", "schedule", "dead")) {
            redis.call("ZADD", set, SCORE, job, "6", text);
        }
        redis.call("HSET", "mw:locks", text, text);
        redis.call("HSET", "mw:locks", "abcdefghijklmn", "9999999999999 " + text + " " + text);
        redis.call("SET", "stat:processed", text);
        redis.call("SET", "stat:failed", "7");
        redis.call("SADD", "processes", text);
        String info =
                json(
                        "{'hostname':'%s','pid':1,'tag':'%s','labels':['%s'],'queues':['%s'],"
                                + "'concurrency':5,'identity':'%s','version':'%s','runners':['%s']}");
        redis.call(
                "HSET", text, "info", info, "busy", "1", "beat", "5.5", "quiet", "false", "rss",
                "1000", "rtt_us", "9", "trouble", text);
        String work = json("{'queue':'%s','run_at':1,'payload':%j}").replace("%j", job);
        redis.call("HSET", text + ":work", text, work);
        redis.call("SADD", "resque:queues", text);
        redis.call("LPUSH", "resque:queue:" + text, json("{'class':'%s','args':['%s']}"));
        redis.call(
                "RPUSH",
                "resque:failed",
                json(
                        "{'failed_at':'%s','payload':{'class':'%s','args':['%s']},'exception':'%s',"
                                + "'error':'%s','backtrace':['%s'],'worker':'%s','queue':'%s'}"),
                text);
    }

    private String job() {
        return json(
                "{'class':'%s','queue':'%s','args':['%s',{'%s':'%s'}],'jid':'%s','tags':['%s'],"
                        + "'error_class':'%s','error_message':'%s','error_backtrace':['%s'],"
                        + "'bid':'%s','cattr':{'%s':'%s'},'locale':'%s','retry_queue':'%s',"
                        + "'failed_at':1,'retry_count':2,'created_at':1,'enqueued_at':1}");
    }

    private String json(String form) {
        String inJson = text.replace("\\", "\\\\").replace("\"", "\\\"");
        return form.replace('\'', '"').replace("%s", inJson);
    }

    /// Every key, with all its bytes and when it expires.
    static Map<String, String> dump(RedisConnection redis) {
        Map<String, String> dump = new TreeMap<>();
        for (Object key : (List<?>) Objects.requireNonNull(redis.call("KEYS", "*"))) {
            byte[] name = (byte[]) Objects.requireNonNull(key);
            byte[] value = (byte[]) redis.call(RedisConnection.ascii("DUMP"), name);
            Object expiry = redis.call(RedisConnection.ascii("PEXPIRETIME"), name);
            dump.put(
                    new String(name, StandardCharsets.UTF_8),
                    Base64.getEncoder().encodeToString(value) + " " + expiry);
        }
        return dump;
    }
}
