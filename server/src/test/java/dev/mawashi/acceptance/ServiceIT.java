package dev.mawashi.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// One app with the sidekiq gem, run by MRI's `sidekiq` and then by `mawashi run` as a service of
/// systemd: both say the same.
final class ServiceIT {
    private static final String SERVICE =
            Path.of("src/test/ruby/acceptance/service.rb").toAbsolutePath().toString();

    /// A line that Sidekiq's JSON formatter wrote about a job, without what differs from run to
    /// run.
    private static final Pattern LINE =
            Pattern.compile(
                    "\"lvl\":\"(\\w+)\",\"msg\":\"([^\"]*)\""
                            + "(?:,\"ctx\":\\{(\"class\":\"\\w+\",\"jid\":\"\\w+\"[^}]*?)"
                            + "(,\"elapsed\":[0-9.e-]+)?\\})?\\}$");

    @TempDir private static Path folder;
    private static Workplace place;
    private static Child sidekiq;
    private static Child mawashi;
    private static Child systemd;
    private static String comm = "";
    private static List<String> identities = List.of();

    @BeforeAll
    static void runBoth() throws IOException {
        place = new Workplace(folder);
        enqueue();
        sidekiq = place.sidekiq("-r", SERVICE, "-c", "1");
        sidekiq.awaitLog("at work on last").awaitLog("event heartbeat");
        end(sidekiq);

        systemd = place.script("systemd.rb").awaitLog("listening");
        enqueue();
        Map<String, String> environment = new HashMap<>(Workplace.DEBIAN_GEMS);
        environment.put("NOTIFY_SOCKET", "@" + folder.resolve("abstract"));
        environment.put("WATCHDOG_USEC", "200000");
        environment.put("DYNO", "worker.1");
        place.bytes("CONFIG", "SET", "maxmemory", "4gb", "maxmemory-policy", "allkeys-lru");
        mawashi = place.mawashi(environment, "run", "-r", SERVICE, "-c", "1");
        mawashi.awaitLog("at work on last").awaitLog("event heartbeat");
        identities = place.strings("SMEMBERS", "processes").stream().map(Workplace::text).toList();
        comm = Files.readString(Path.of("/proc/" + mawashi.pid() + "/comm"));
        systemd.awaitLog("READY=1\n").awaitLog("WATCHDOG=1\nWATCHDOG=1\n");
        end(mawashi);
        systemd.awaitLog("STOPPING=1");
    }

    private static void enqueue() {
        place.pushJobs(1, "good", "GoodJob", "[\"tea\"]");
        place.pushJobs(1, "bad", "BadJob", "[],\"retry\":false,\"tags\":[\"a\",\"b\"]");
        place.pushJobs(1, "last", "LastJob", "[\"last\"]");
    }

    private static void end(Child server) {
        server.signal("TERM");
        assertThat(server.awaitExit()).as(server::log).isZero();
    }

    @AfterAll
    static void close() {
        place.close();
    }

    private static List<String> lines(Child server, String start) {
        return server.logLines().stream()
                .map(LINE::matcher)
                .filter(Matcher::find)
                .filter(line -> line.group(3) != null || line.group(2).startsWith("event"))
                .map(line -> line.group(1) + " " + line.group(2) + " " + line.group(3))
                .filter(line -> line.startsWith(start))
                .toList();
    }

    @Test
    void jobsAreLoggedAsSidekiqLogsThem() {
        assertThat(lines(mawashi, "INFO").stream().filter(line -> !line.contains("event ")))
                .hasSize(8)
                .contains("INFO fail \"class\":\"BadJob\",\"jid\":\"bad0\",\"tags\":[\"a\",\"b\"]")
                .containsExactlyElementsOf(
                        lines(sidekiq, "INFO").stream()
                                .filter(line -> !line.contains("event "))
                                .toList());
    }

    @Test
    void lifecycleBlocksAreCalledInSidekiqsOrder() {
        assertThat(lines(mawashi, "INFO event"))
                .containsExactly(
                        "INFO event startup null",
                        "INFO event heartbeat null",
                        "INFO event quiet null",
                        "INFO event shutdown null")
                .containsExactlyInAnyOrderElementsOf(lines(sidekiq, "INFO event"));
    }

    @Test
    void anErrorIsLoggedOnceByTheGemsOwnHandler() {
        assertThat(count(mawashi, "\"msg\":\"RuntimeError: told to\"")).isOne();
        assertThat(count(mawashi, "told to")).isEqualTo(count(sidekiq, "told to"));
    }

    private static long count(Child server, String text) {
        return server.logLines().stream().filter(line -> line.contains(text)).count();
    }

    /// It pings while the app is loaded too: after a new start in place systemd waits for that.
    @Test
    void systemdIsToldOfStartLifeAndEnd() {
        assertThat(systemd.logLines())
                .startsWith("listening", "WATCHDOG=1")
                .contains("STOPPING=1")
                .filteredOn(line -> !line.equals("WATCHDOG=1"))
                .containsExactly("listening", "READY=1", "STOPPING=1");
    }

    @Test
    void theProcessBearsItsNameAndThatOfItsDyno() {
        assertThat(comm).isEqualTo("mawashi\n");
        assertThat(identities)
                .singleElement()
                .asString()
                .matches("worker\\.1:" + mawashi.pid() + ":[0-9a-f]{12}");
    }

    @Test
    void aRedisThatMayThrowJobsAwayIsToldOf() {
        assertThat(mawashi.log())
                .contains("WARN: Redis may throw jobs away", "maxmemory-policy is allkeys-lru");
    }
}
