package dev.mawashi.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.mawashi.redis.RedisAddress;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The keys that are named by whoever talks to a Redis meanwhile, by Redis's own account.
final class TouchedKeys implements AutoCloseable {
    /// Some hold a whole script.
    private static final Pattern WORD = Pattern.compile("\"([^\"\\\\]*+(?:\\\\.[^\"\\\\]*+)*+)\"");

    private static final Set<String> COUNTED = Set.of("eval", "evalsha", "zunion");
    private static final Set<String> MANY = Set.of("exists", "del", "unlink");
    private static final Set<String> WITHOUT =
            Set.of(
                    "acl",
                    "client",
                    "command",
                    "config",
                    "exec",
                    "hello",
                    "info",
                    "keys",
                    "multi",
                    "ping",
                    "save",
                    "scan",
                    "script",
                    "select",
                    "subscribe",
                    "time");

    private final Socket socket;
    private final Thread reading;
    private final Set<String> keys = new ConcurrentSkipListSet<>();

    TouchedKeys(RedisAddress redis) {
        try {
            socket = new Socket(redis.host(), redis.port());
            socket.getOutputStream().write("MONITOR\r\n".getBytes(UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        reading = Thread.ofVirtual().name("mawashi-test-monitor-1").start(this::read);
    }

    private void read() {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                note(line);
            }
        } catch (IOException _) {
            // Closed.
        }
    }

    private void note(String line) {
        List<String> words = new ArrayList<>();
        Matcher matcher = WORD.matcher(line);
        while (matcher.find()) {
            words.add(matcher.group(1));
        }
        if (words.size() < 2 || line.contains(" lua] ")) {
            return;
        }
        String command = words.getFirst().toLowerCase(Locale.ROOT);
        if (COUNTED.contains(command)) {
            int at = command.equals("zunion") ? 1 : 2;
            int count = Integer.parseInt(words.get(at));
            keys.addAll(words.subList(at + 1, at + 1 + count));
        } else if (MANY.contains(command)) {
            keys.addAll(words.subList(1, words.size()));
        } else if (!WITHOUT.contains(command)) {
            keys.add(words.get(1));
        }
    }

    /// Those so far.
    Set<String> keys() {
        return Set.copyOf(keys);
    }

    @Override
    public void close() {
        try {
            socket.close();
            reading.join();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
