package dev.mawashi.bench.rig;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// `mawashi web` beside the servers, at a port of its own. It ends with the harness.
public final class PageProcess implements AutoCloseable {
    private static final String ANNOUNCED = "the page is at ";
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(20);

    private final Process process;
    private final String url;

    private PageProcess(Process process, String url) {
        this.process = process;
        this.url = url;
    }

    /// Starts it, and waits until it listens.
    ///
    /// @throws BenchFailure when it does not
    public static PageProcess start(Ground ground) {
        List<String> command = new ArrayList<>(Programs.tether());
        command.addAll(ground.launcher());
        command.addAll(List.of("web", "0"));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("REDIS_URL", ground.redis().url());
        try {
            Process process = builder.start();
            return new PageProcess(process, url(process));
        } catch (IOException e) {
            throw new BenchFailure("cannot start mawashi web: " + e.getMessage(), e);
        }
    }

    private static String url(Process process) throws IOException {
        BufferedReader printed = process.inputReader(StandardCharsets.UTF_8);
        StringBuilder before = new StringBuilder();
        for (String line = printed.readLine(); line != null; line = printed.readLine()) {
            if (line.startsWith(ANNOUNCED)) {
                return line.substring(ANNOUNCED.length()).strip();
            }
            before.append(line).append('\n');
        }
        throw new BenchFailure("mawashi web ended: " + before.toString().strip());
    }

    /// Where it answers, such as `http://127.0.0.1:40123`.
    public String url() {
        return url;
    }

    @Override
    public void close() {
        Programs.end(process, STOP_PATIENCE);
    }
}
