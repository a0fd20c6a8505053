package dev.mawashi.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.mawashi.redis.RedisAddress;
import dev.mawashi.redis.RedisConnection;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A shop whose jobs come all the time, a server that works on them, and its pages.
final class Shop implements AutoCloseable {
    private static final Path APP = Path.of("src/test/ruby/shop/shop.rb").toAbsolutePath();
    private static final Pattern URL = Pattern.compile("the page is at (http://\\S+)");

    /// Weeks of `fill` without visitors: no more jobs die later.
    private static final int DEAD = 4;

    private static final int TICK_MILLIS = 400;
    private static final int ORDERS_A_TICK = 5;

    /// More would only fill the Redis of a test that takes long.
    private static final int ORDERS_MAX = 20_000;

    private final Workplace place;
    private final RedisConnection till;
    private final ScheduledExecutorService clerk = Executors.newSingleThreadScheduledExecutor();
    private final String url;
    private int jobs;
    private int orders;

    Shop(Path folder) {
        place = new Workplace(folder);
        till =
                new RedisConnection(
                        RedisAddress.parse(place.redisUrl()), "till", Duration.ofSeconds(5));
        fill();
        Child server = run("-q", "critical", "-q", "default", "-q", "mailers", "-q", "imports");
        Future<?> _ = clerk.scheduleAtFixedRate(this::sell, 0, TICK_MILLIS, TimeUnit.MILLISECONDS);
        place.await("some fail", () -> place.number("ZCARD", "retry") > 3);
        place.await("those that die are dead", () -> place.number("ZCARD", "dead") == DEAD);
        place.await("runs are counted", () -> !place.strings("KEYS", "j|*").isEmpty());
        place.await("a beat tells", () -> !place.strings("KEYS", "*:work").isEmpty());
        Child web = place.mawashi(Map.of(), "web", "0").awaitLog("the page is at ");
        Matcher matcher = URL.matcher(web.log());
        if (!server.isAlive() || !matcher.find()) {
            throw new IllegalStateException(server.log() + web.log());
        }
        url = matcher.group(1);
    }

    /// From a folder as an app has, since pictures show the path.
    private Child run(String... queues) {
        Path app = place.folder().resolve("shop/app/jobs/shop.rb");
        try {
            Files.createDirectories(app.getParent());
            Files.copy(APP, app);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        List<String> words = new ArrayList<>(List.of("run", "-r", app.toString(), "-c", "8"));
        words.addAll(List.of(queues));
        return place.mawashi(Map.of(), words.toArray(String[]::new));
    }

    /// What is there before the shop opens.
    private void fill() {
        for (int i = 0; i < 60; i++) {
            String due = String.valueOf(Instant.now().getEpochSecond() + 900 + i * 60L);
            till.call("ZADD", "schedule", due, job("mailers", "OrderMailer", "[" + i + "]"));
        }
        for (int week = 40; week < 54; week++) {
            push("default", "WeeklyReport", "[" + week + ",{\"to\":\"team@example.com\"}]");
        }
        for (int week = 0; week < 30; week++) {
            push("low", "WeeklyReport", "[" + week + "]");
        }
        for (int i = 0; i < 12; i++) {
            till.call("RPUSH", "resque:failed", failure(i));
        }
        push("imports", "LongImport", "[\"stock.csv\"]");
        push("imports", "LongImport", "[\"prices.csv\"]");
    }

    /// A record of Resque's, of a job that failed.
    private static String failure(int number) {
        return """
        {"failed_at":"2026/11/24 10:%02d:00 UTC","payload":{"class":"Shop::Archive",\
        "args":[%d,"orders.tar"]},"exception":"Errno::ENOSPC","error":"No space left on \
        device","backtrace":["/srv/shop/app/jobs/archive.rb:14:in `write'",\
        "/var/gems/tar-1.0/lib/tar.rb:7:in `add'"],"worker":"host:1:archive",\
        "queue":"archive"}\
        """
                .formatted(number, number);
    }

    private void sell() {
        for (int i = 0; i < ORDERS_A_TICK && orders < ORDERS_MAX; i++) {
            int order = ++orders;
            push("mailers", "OrderMailer", "[{\"order\":" + order + ",\"locale\":\"en\"}]");
            push("critical", "ChargeCard", "[" + order + ",19.99]");
            push("default", "ResizeImage", "[\"uploads/" + order + ".jpg\",[320,640,1280]]");
        }
    }

    private void push(String queue, String name, String args) {
        till.queue(bytes("SADD"), bytes("queues"), bytes(queue));
        till.queue(bytes("LPUSH"), bytes("queue:" + queue), bytes(job(queue, name, args)));
        till.flush();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    private String job(String queue, String name, String args) {
        String now = String.format(Locale.ROOT, "%.3f", System.currentTimeMillis() / 1_000.0);
        return """
        {"class":"Shop::%s","queue":"%s","args":%s,"jid":"%024x","created_at":%s,\
        "enqueued_at":%s,"retry":%s,"backtrace":30,"tags":["shop"]}\
        """
                .formatted(
                        name, queue, args, ++jobs, now, now, name.equals("WeeklyReport") ? 0 : 5);
    }

    /// Of its pages.
    String url() {
        return url;
    }

    Workplace place() {
        return place;
    }

    @Override
    public void close() {
        clerk.shutdownNow();
        try {
            clerk.awaitTermination(5, TimeUnit.SECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        till.close();
        place.close();
    }
}
