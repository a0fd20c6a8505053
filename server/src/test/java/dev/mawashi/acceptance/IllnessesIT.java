package dev.mawashi.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.redis.FaultProxy;
import dev.mawashi.redis.RedisAddress;
import dev.mawashi.texts.Texts;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Six illnesses of real servers, each named in the words of the guide's table.
///
/// The alarms' minutes pass in seconds here. A leak that goes on is found however slow the machine
/// is. Long, since leaks grow slowly; `AlarmWatchTest`, `RedisAlarmsIT` and `WaitsIT` are quick.
@Tag("long")
final class IllnessesIT {
    private static final Pattern ROW =
            Pattern.compile("(?m)^\\| ([^|]+) \\|[^|]*\\| (.+) \\|[^|]*\\|$");
    private static final Pattern WORDS = Pattern.compile("`([^`]+)`");
    private static final String SPEED = "-Dmawashi.alarms.speed=60";
    private static final String ILL = Programs.SCRIPTS.resolve("ill.rb").toString();

    @TempDir Path folder;

    private final Map<String, List<String>> guide = guide();

    /// By illness the words that the guide's table has for it.
    private static Map<String, List<String>> guide() {
        Map<String, List<String>> words = new HashMap<>();
        ROW.matcher(Texts.read(Texts.GUIDE.resolve("diagnosis.md")))
                .results()
                .forEach(
                        row -> words.put(row.group(1), Texts.groups(WORDS, row.group(2)).toList()));
        return words;
    }

    /// The only words of an illness that begin in such a way.
    private String words(String illness, String beginning) {
        assertThat(guide).containsKey(illness);
        List<String> all = guide.get(illness);
        List<String> found = all.stream().filter(one -> one.startsWith(beginning)).toList();
        assertThat(found).as("%s of %s in %s", beginning, illness, all).hasSize(1);
        return found.getFirst();
    }

    private static Child run(Workplace place, String redisUrl, String... flags) {
        String[] command =
                Stream.concat(Stream.of("run", "-r", ILL, "-c", "6"), Arrays.stream(flags))
                        .toArray(String[]::new);
        return place.mawashi(Map.of("JDK_JAVA_OPTIONS", SPEED, "REDIS_URL", redisUrl), command);
    }

    private static void awaitProfile(Workplace place, String jobClass, String words) {
        place.await(
                "the profile of %s says %s".formatted(jobClass, words),
                () -> {
                    Child profile =
                            place.mawashi(Workplace.NO_GEMS, "profile", jobClass, "--seconds", "1");
                    profile.awaitExit();
                    return profile.log().contains(" seemed to wait for " + words);
                });
    }

    private static void deadlock(Workplace place) {
        place.pushJobs(1, "left", "DeadlockJob", "[\"left\",\"right\"]");
        place.pushJobs(1, "right", "DeadlockJob", "[\"right\",\"left\"]");
    }

    @Test
    void aStarvedPoolADeadlockAndLeaksInChildrenAreNamed() {
        try (Workplace place = new Workplace(folder)) {
            Child server = run(place, place.redisUrl(), "--runner", "mri", "--processes", "1");
            place.pushJobs(1, "threads", "LeakThreadsJob", "[]");
            place.pushJobs(1, "memory", "LeakMemoryJob", "[]");
            place.pushJobs(2, "starved", "StarvedJob", "[]");
            deadlock(place);
            awaitProfile(place, "StarvedJob", words("starved pool", "a connection of a Conn"));
            awaitProfile(place, "DeadlockJob", words("deadlock", "a lock that"));
            server.awaitLog(words("leaked threads", "alarm") + ": child ");
            server.awaitLog(words("leaking children", "alarm") + ": child ");
        }
    }

    @Test
    void aDeadlockLeakedThreadsASlowRedisAndAFullHeapAreNamedOnJruby() {
        try (Workplace place = new Workplace(folder);
                FaultProxy proxy = new FaultProxy(RedisAddress.parse(place.redisUrl()))) {
            String redis = "redis://127.0.0.1:" + proxy.address().port() + "/0";
            Child server = run(place, redis, "--runner", "jruby");
            deadlock(place);
            place.pushJobs(1, "threads", "LeakThreadsJob", "[]");
            server.awaitLog(words("deadlock", "alarm"));
            String held = words("deadlock", "a lock that") + ": DeadlockJob ";
            awaitProfile(place, "DeadlockJob", held + "left0 in mawashi-slot-");
            awaitProfile(place, "DeadlockJob", held + "right0 in mawashi-slot-");
            server.awaitLog(words("leaked threads", "alarm"));
            proxy.delay(Duration.ofMillis(60));
            server.awaitLog(words("slow Redis", "alarm"));
            proxy.delay(Duration.ZERO);
            place.pushJobs(1, "heap", "FillHeapJob", "[]");
            server.awaitLog(words("growing heap", "alarm"));
        }
    }
}
