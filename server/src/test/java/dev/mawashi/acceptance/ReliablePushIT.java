package dev.mawashi.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `reliable_push!` in an app's process, with the sidekiq gem and with the shipped API, while Redis
/// is killed and comes back.
@Tag("stack")
final class ReliablePushIT {
    private static final Path RUBY = Path.of("../ruby/src/main/ruby").toAbsolutePath();
    private static final Pattern ARGUMENT = Pattern.compile("\"args\":\\[\"(\\w+)\"\\]");

    @TempDir Path folder;

    private static Child app(Workplace place, boolean hasGem) {
        String lib = hasGem ? RUBY.toString() : RUBY + ":" + RUBY.resolve("mawashi/shim");
        return place.start(
                "app",
                List.of("ruby", Programs.SCRIPTS.resolve("reliable_push.rb").toString()),
                Map.of("RUBYLIB", lib));
    }

    private static void obey(Child app, String order, Object answer) {
        app.write(order);
        app.awaitLog(order + ": " + answer);
    }

    /// The jobs' arguments in the order in which they came.
    private static List<String> queued(Workplace place) {
        return place.strings("LRANGE", "queue:default", "0", "-1").reversed().stream()
                .map(payload -> ARGUMENT.matcher(new String(payload, UTF_8)))
                .filter(Matcher::find)
                .map(found -> found.group(1))
                .toList();
    }

    @Test
    void jobsAreKeptWhileRedisIsAwayAndSentInTheirOrder() {
        keepsAndSends(true);
    }

    @Test
    void soItIsWithoutTheGem() {
        keepsAndSends(false);
    }

    private void keepsAndSends(boolean hasGem) {
        try (Workplace place = new Workplace(folder)) {
            Child app = app(place, hasGem);
            obey(app, "push before", "");
            obey(app, "waiting", 0);
            place.killRedis();
            Stream.of("one", "two").forEach(name -> obey(app, "push " + name, ""));
            obey(app, "later soon", "");
            obey(app, "bulk many 3", 3);
            obey(app, "fork child", 0);
            obey(app, "push three", "");
            obey(app, "waiting", 7);
            // The app's process and its child.
            assertThat(app.log().split("Redis does not answer, so up to 1000 jobs", -1)).hasSize(3);

            place.startRedis();

            app.awaitLog("Redis answers; kept jobs that are enqueued now: 7");
            obey(app, "push four", "");
            assertThat(queued(place))
                    .containsExactly("one", "two", "many0", "many1", "many2", "three", "four");
            assertThat(place.strings("ZRANGE", "schedule", "0", "-1")).hasSize(1);
            app.endInput();
            assertThat(app.awaitExit()).as(app::log).isZero();
            assertThat(app.log())
                    .containsOnlyOnce("kept jobs that could not be enqueued and are lost: 1 (");
        }
    }

    @Test
    void beyondAThousandTheAppHearsOfItAndTheEndSaysWhatIsLost() {
        try (Workplace place = new Workplace(folder)) {
            Child app = app(place, true);
            obey(app, "push before", "");
            place.killRedis();
            obey(app, "bulk many 999", 999);
            obey(app, "push last", "");
            app.write("push beyond");
            app.awaitLog("push beyond: Redis");
            obey(app, "waiting", 1_000);

            app.endInput();

            assertThat(app.awaitExit()).as(app::log).isZero();
            assertThat(app.log())
                    .contains("kept jobs that could not be enqueued and are lost: 1000 (");
        }
    }

    @Test
    void aProcessThatEndsSendsWhatItCan() {
        try (Workplace place = new Workplace(folder)) {
            Child app = app(place, true);
            obey(app, "push before", "");
            place.killRedis();
            IntStream.range(0, 5).forEach(n -> obey(app, "push n" + n, ""));
            obey(app, "bad", "JSON::GeneratorError");
            place.startRedis();

            app.endInput();

            assertThat(app.awaitExit()).as(app::log).isZero();
            assertThat(queued(place)).containsExactly("n0", "n1", "n2", "n3", "n4");
        }
    }
}
