package dev.mawashi.web;

import dev.mawashi.http.Access;
import dev.mawashi.redis.RedisAddress;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import dev.mawashi.wire.ResqueKeys;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;

/// A web server over a real Redis, and a client of it.
final class WebRig implements AutoCloseable {
    static final Instant NOW = Instant.parse("2026-11-24T12:00:00Z");

    final RedisConnection redis;
    final WebServer web;

    /// A line of the record of changes.
    private static final String CHANGE =
            """
            {"id":"00000000000000aa","at":"2026-11-24T11:00:00Z","who":"ada","role":"admin",\
            "address":"","act":"delete","place":"dead","to":"","detail":"","state":"done",\
            "touched":2,"gone":0,"malformed":0,"trimmed":0,"kept":2}\
            """;

    private static final String RUN =
            """
            {"outcome":"%s","tick":"2026-11-24T03:00:00Z","at":"2026-11-24T03:00:00.004Z",\
            "jid":"000000000000000000000001","by":"ada","reason":"WRONGTYPE"}\
            """;

    private final HttpClient client = HttpClient.newHttpClient();

    /// @param environment the secrets
    WebRig(RedisServerForTests server, Map<String, String> environment) {
        redis = server.connect();
        web = serve(environment, server.url());
        web.start();
    }

    static WebServer serve(Map<String, String> environment, String redis) {
        WebSettings settings =
                new WebSettings(
                        Access.of("0", environment),
                        RedisAddress.parse(redis),
                        ResqueKeys.DEFAULT,
                        "9.9.9");
        return WebServer.besideFleet(settings, InstantSource.fixed(NOW));
    }

    HttpResponse<String> get(String path, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(web.url() + path));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    /// With a body of JSON.
    HttpResponse<String> post(String path, String body, String... headers) throws Exception {
        return send(
                HttpRequest.newBuilder(URI.create(web.url() + path))
                        .header("Content-Type", "application/json")
                        .headers(headers)
                        .POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    /// A process, what it runs, what a class has run, a job in each set, one that is none, two
    /// queues, and two schedules.
    void fill() {
        redis.call("SADD", "queues", "q", "low/50% \"é\"");
        redis.call("SET", "stat:processed", "12");
        redis.call("HSET", "j|261124|11:59", "q|p", "3", "q|f", "1", "q|ms", "40");
        redis.call("HSET", "mw:runs|261124|11:59", "q|mri", "2");
        redis.call("HSET", "mw:waits|261124|11:59", "0", "90", "4", "9", "25", "1");
        for (int i = 0; i < 3; i++) {
            redis.call("LPUSH", "queue:q", job("q" + i, ""));
            redis.call("ZADD", "schedule", "" + (NOW.getEpochSecond() + i), job("s" + i, ""));
        }
        String error =
                ",\"error_class\":\"E\",\"error_message\":\"no\",\"retry_count\":2,"
                        + "\"tags\":[\"vip\"],\"error_backtrace\":[\"a.rb:1\"]";
        redis.call("ZADD", "retry", "1795521600.25", job("r", error));
        redis.call("ZADD", "dead", "1795521500", job("d", error), "inf", "no job");
        String failure =
                "{\"payload\":{\"class\":\"Old\",\"args\":[1]},\"exception\":\"E\",\"error\":\"no\"}";
        redis.call("RPUSH", "resque:failed", failure, "no record", failure);
        redis.call("SADD", "resque:queues", "mail");
        redis.call("RPUSH", "resque:queue:mail", "{\"class\":\"Old\",\"args\":[1]}");
        redis.call("SADD", "processes", "web-1:7:aa");
        redis.call(
                "HSET",
                "web-1:7:aa",
                "info",
                "{\"tag\":\"shop\",\"labels\":[],\"queues\":[\"q\"],\"concurrency\":5}",
                "busy",
                "1",
                "beat",
                "1795521599.5");
        redis.call(
                "HSET",
                "web-1:7:aa:work",
                "t1",
                "{\"queue\":\"q\",\"run_at\":1795521590,\"payload\":" + job("w", "") + "}");
        redis.call("LPUSH", "mw:audit", CHANGE);
        redis.call("HSET", "mw:locks", "abcdefghijklmn", "9999999999999 r AJob");
        fillSchedules();
    }

    private void fillSchedules() {
        redis.call("ZADD", "mw:cron:files", "1", "digest");
        redis.call(
                "SET",
                "mw:cron:file:digest",
                "[" + schedule("q") + "," + schedule("low/50% \\\"é\\\" <b>") + "]");
        redis.call("SADD", "mw:cron:paused", "q");
        redis.call("LPUSH", "mw:cron:runs:q", RUN.formatted("refused"), RUN.formatted("enqueued"));
    }

    private static String schedule(String name) {
        return "{\"name\":\"%s\",\"cron\":\"0 3 * * mon#1\",\"zone\":\"Europe/Berlin\","
                        .formatted(name)
                + "\"class\":\"AJob\",\"queue\":\"q\",\"missed\":\"all\",\"description\":\"a <i>\"}";
    }

    static String job(String jid, String fields) {
        return "{\"class\":\"AJob\",\"queue\":\"q\",\"args\":[1,{\"k\":\"v\"}],\"jid\":\"%s\","
                        .formatted(jid)
                + "\"created_at\":1795521000.5"
                + fields
                + "}";
    }

    @Override
    public void close() {
        web.stop(Duration.ZERO);
        client.close();
        redis.close();
    }
}
