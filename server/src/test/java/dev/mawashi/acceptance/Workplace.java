package dev.mawashi.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.Eventually;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A Redis, a ledger, and real processes that share them: `mawashi run`, MRI's `sidekiq`, and Ruby
/// scripts that use the sidekiq gem. Closing kills all of them.
final class Workplace implements AutoCloseable {
    /// Where Debian puts gems; with it, Mawashi runs the app with the app's own sidekiq gem.
    static final Map<String, String> DEBIAN_GEMS =
            Map.of("GEM_PATH", "/usr/share/rubygems-integration/all");

    /// Without gems, Mawashi runs the app with the API that it ships, and boots faster.
    static final Map<String, String> NO_GEMS = Map.of();

    /// The app that all of them load.
    static final String APP = Programs.SCRIPTS.resolve("app.rb").toString();

    private static final Pattern JID = Pattern.compile("\"jid\":\"(\\w+)\"");

    private final Path folder;
    private final RedisServerForTests redis;
    private final RedisConnection connection;
    private final Ledger ledger;
    private final Programs programs;

    /// @param folder an empty one, for ledger and logs
    /// @param redisOptions for redis-server
    Workplace(Path folder, String... redisOptions) {
        this.folder = folder;
        ledger = new Ledger(folder);
        redis = new RedisServerForTests(redisOptions);
        connection = redis.connect();
        programs = new Programs(folder, redis.url());
    }

    Ledger ledger() {
        return ledger;
    }

    String redisUrl() {
        return redis.url();
    }

    Path folder() {
        return folder;
    }

    /// Starts `mawashi` with a command.
    ///
    /// @param environment what the process gets beside the machine's own
    Child mawashi(Map<String, String> environment, String... arguments) {
        return programs.mawashi(environment, arguments);
    }

    /// The same, with all that it prints going to this file and not to its log.
    Child mawashiInto(String file, Map<String, String> environment, String... arguments) {
        List<String> command = new ArrayList<>(List.of("sh", "-c"));
        command.add("exec \"$@\" >" + file + " 2>&1");
        command.add("sh");
        command.addAll(Programs.mawashiCommand(arguments));
        return programs.start("mawashi", command, environment);
    }

    /// The same under a limit.
    ///
    /// @param limit command of the shell
    Child mawashiLimited(String limit, String... arguments) {
        List<String> command =
                new ArrayList<>(List.of("bash", "-c", limit + "; exec \"$@\"", "bash"));
        command.addAll(Programs.mawashiCommand(arguments));
        return programs.start("mawashi", command, NO_GEMS);
    }

    /// The same by way of a shell script, which gets these words and its folder as `PLACE`.
    Child script(Path folder, Path script, String... arguments) {
        List<String> command = new ArrayList<>(List.of("bash", script.toString()));
        command.addAll(Programs.mawashiCommand(arguments));
        return programs.start("mawashi", command, Map.of("PLACE", folder.toString()));
    }

    /// Starts `mawashi run` with the app of the acceptance tests and short leases.
    Child run(Map<String, String> environment, String... flags) {
        List<String> arguments =
                new ArrayList<>(List.of("run", "-r", APP, "--lease", "2", "--sweep", "0.5"));
        arguments.addAll(List.of(flags));
        return mawashi(environment, arguments.toArray(String[]::new));
    }

    /// The same on one child of MRI, which starts in a fraction of JRuby's time.
    Child runOnMri(Map<String, String> environment, String... flags) {
        List<String> all = new ArrayList<>(List.of("--runner", "mri", "--processes", "1"));
        all.addAll(List.of(flags));
        return run(environment, all.toArray(String[]::new));
    }

    /// Starts MRI's `sidekiq` with the same app.
    Child sidekiq(String... flags) {
        return programs.sidekiq(APP, flags);
    }

    /// Starts MRI's `sidekiq` with another app.
    Child sidekiqFor(Path app, String... flags) {
        return programs.sidekiq(app.toString(), flags);
    }

    /// Starts any program.
    ///
    /// @param name for its log
    Child start(String name, List<String> command, Map<String, String> environment) {
        return programs.start(name, command, environment);
    }

    /// Starts MRI with a script, named by its place beside the app.
    Child script(String name, String... arguments) {
        List<String> command =
                new ArrayList<>(List.of("ruby", Programs.SCRIPTS.resolve(name).toString()));
        command.addAll(List.of(arguments));
        return programs.start(name, command, Map.of("RAILS_ENV", "test"));
    }

    /// Runs such a script to its end and returns the lines that it prints.
    List<String> lines(String script, String... arguments) {
        return linesOf(script(script, arguments));
    }

    /// Runs MRI to its end and returns the lines that it prints.
    ///
    /// @param name for its log
    List<String> ruby(String name, String... arguments) {
        List<String> command = new ArrayList<>(List.of("ruby"));
        command.addAll(List.of(arguments));
        return linesOf(programs.start(name, command, Map.of()));
    }

    /// Version of the sidekiq gem that MRI finds.
    String sidekiqVersion() {
        return ruby("version", "-rsidekiq/version", "-e", "puts Sidekiq::VERSION").getLast();
    }

    /// Whether that is this major version or a later one.
    boolean hasSidekiq(int major) {
        return Integer.parseInt(sidekiqVersion().replaceAll("\\..*", "")) >= major;
    }

    private static List<String> linesOf(Child child) {
        int code = child.awaitExit();
        assertThat(code).as(child::log).isZero();
        return child.logLines();
    }

    /// The sum of a field in all hashes whose names match a pattern.
    long counted(String keys, String field) {
        long sum = 0;
        for (byte[] key : strings("KEYS", keys)) {
            sum += integer("HGET", text(key), field);
        }
        return sum;
    }

    /// Undoes `open`.
    void shut(String gate) {
        try {
            Files.delete(folder.resolve(gate + ".open"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Lets `GateJob`s and `Ledger.pass` go on that wait at this gate.
    void open(String gate) {
        try {
            Files.createFile(folder.resolve(gate + ".open"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Waits for a condition; when it does not come true, the failure shows what all processes
    /// printed.
    void await(String what, BooleanSupplier condition) {
        try {
            Eventually.until(what, Child.LIMIT, condition);
        } catch (AssertionError late) {
            StringBuilder logs = new StringBuilder(late.getMessage()).append(whatIsLeft());
            logs.append(programs.logs());
            throw new AssertionError(logs.toString(), late);
        }
    }

    /// What Redis holds, and which jobs began and did not end.
    private String whatIsLeft() {
        StringBuilder left = new StringBuilder("\nin Redis:");
        for (byte[] name : strings("KEYS", "*")) {
            String key = text(name);
            left.append("\n  ").append(key).append(' ').append(size(key));
        }
        Set<String> begun = new TreeSet<>(ledger.byJid("start").keySet());
        begun.removeAll(ledger.byJid("end").keySet());
        return left.append("\nbegun and not ended: ").append(begun).toString();
    }

    private long size(String key) {
        return connection.call("TYPE", key) instanceof byte[] type
                ? switch (text(type)) {
                    case "list" -> number("LLEN", key);
                    case "hash" -> number("HLEN", key);
                    case "zset" -> number("ZCARD", key);
                    case "set" -> number("SCARD", key);
                    default -> 1;
                }
                : 0;
    }

    /// Puts payloads into a queue, the first to run first.
    void push(String queue, List<byte[]> payloads) {
        connection.call("SADD", "queues", queue);
        for (byte[] payload : payloads) {
            connection.queue("LPUSH".getBytes(UTF_8), ("queue:" + queue).getBytes(UTF_8), payload);
        }
        connection.flush();
    }

    /// Puts jobs of one class into the queue `default`, with jids `<prefix>0`, `<prefix>1` and so
    /// on in the order in which they are to run.
    ///
    /// @param args JSON text
    void pushJobs(int count, String prefix, String jobClass, String args) {
        List<byte[]> payloads = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String payload =
                    "{\"class\":\"%s\",\"args\":%s,\"jid\":\"%s%d\",\"created_at\":1795225660717}"
                            .formatted(jobClass, args, prefix, i);
            payloads.add(payload.getBytes(UTF_8));
        }
        push("default", payloads);
    }

    /// The jids in the queue `default`, the next to run first.
    List<String> queued() {
        List<String> jids = new ArrayList<>(jids(strings("LRANGE", "queue:default", "0", "-1")));
        Collections.reverse(jids);
        return jids;
    }

    /// The jids of the jobs that a process may run: claimed and not settled, or arrived there.
    Set<String> inHandsOf(Child server) {
        Set<String> jids = new HashSet<>();
        // First, since jobs go from here to what is in flight.
        for (byte[] key : strings("KEYS", "mw:{queue:*}:arrivals:*")) {
            String name = new String(key, UTF_8);
            if (name.contains(":" + server.pid() + ":")) {
                jids.addAll(jids(strings("LRANGE", name, "0", "-1")));
            }
        }
        for (byte[] key : strings("KEYS", "mw:{queue:*}:inflight:*")) {
            String name = new String(key, UTF_8);
            if (name.contains(":" + server.pid() + ":")) {
                jids.addAll(jids(strings("HVALS", name)));
            }
        }
        return jids;
    }

    /// Whether the queue `default` is empty and a process has nothing in hand, read in the order in
    /// which jobs go on: an empty queue alone says that the last ones were claimed.
    boolean isSettledBy(Child server) {
        return queued().isEmpty() && inHandsOf(server).isEmpty();
    }

    private static List<String> jids(List<byte[]> payloads) {
        return payloads.stream()
                .map(payload -> JID.matcher(new String(payload, UTF_8)))
                .filter(Matcher::find)
                .map(found -> found.group(1))
                .toList();
    }

    /// Whether a sorted set has exactly these bytes as a member.
    boolean isMember(String set, byte[] member) {
        return connection.call("ZSCORE".getBytes(UTF_8), set.getBytes(UTF_8), member) != null;
    }

    /// From here on Redis is not there.
    void killRedis() {
        connection.close();
        redis.kill();
    }

    /// Redis is there again, with nothing in it.
    void startRedis() {
        redis.crashAndStart();
    }

    /// Sends Redis a command that is answered with a number.
    long number(String... command) {
        return connection.call(command) instanceof Long number ? number : -1;
    }

    /// Sends Redis a command that is answered with one string; empty when there is none.
    byte[] bytes(String... command) {
        return connection.call(command) instanceof byte[] bytes ? bytes : new byte[0];
    }

    /// Sends Redis a command that is answered with a number as text; 0 when there is none.
    long integer(String... command) {
        String text = text(bytes(command));
        return text.isEmpty() ? 0 : Long.parseLong(text);
    }

    /// A reply as text, one character a byte.
    static String text(byte[] reply) {
        return new String(reply, StandardCharsets.ISO_8859_1);
    }

    /// Sends Redis a command that is answered with strings.
    List<byte[]> strings(String... command) {
        List<byte[]> strings = new ArrayList<>();
        if (connection.call(command) instanceof List<?> replies) {
            replies.forEach(reply -> strings.add((byte[]) reply));
        }
        return strings;
    }

    @Override
    public void close() {
        programs.close();
        connection.close();
        redis.close();
    }
}
