package dev.mawashi.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.EachOf;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/// Servers that have the URL of their Redis in a file, as a container has a secret.
@Tag("stack")
final class RedisUrlFileIT {
    private static final String APP = Programs.SCRIPTS.resolve("forward_app.rb").toString();
    private static final Pattern PAGE = Pattern.compile("metrics at (http://\\S+)");
    private static final String[] SECRETS = {"p@ss", "p%40ss"};

    @TempDir Path folder;

    /// The app's own gem is there too, which reads no file.
    @EachOf({"mri", "fork", "jruby"})
    void nobodySeesTheirPassword(String runner) throws IOException {
        String[] options = {"--user", "app", "on", ">p@ss", "~*", "&*", "+@all"};
        try (Workplace place = new Workplace(folder, options);
                Caller caller = new Caller()) {
            Path file = folder.resolve("url");
            String url = place.redisUrl();
            Files.writeString(file, url.replace("//", "//app:p%40ss@") + "\n");
            String variables = "unset REDIS_URL; export REDIS_URL_FILE=" + file;
            if (runner.equals("jruby")) {
                variables += "; export GEM_PATH=" + Workplace.DEBIAN_GEMS.get("GEM_PATH");
            }
            place.pushJobs(2, "default", "ForwardJob", "[]");

            String[] flags = {"run", "-r", APP, "--runner", runner, "-c", "2", "--web", "0"};
            Child server = place.mawashiLimited(variables, flags);
            place.await("all", () -> place.ledger().count("end", "PlainJob") == 2);
            server.awaitLog("working on");

            assertThat(words(server)).isNotEmpty().noneMatch(RedisUrlFileIT::isSecret);
            Matcher page = PAGE.matcher(server.log());
            assertThat(page.find()).as(server::log).isTrue();
            for (String path : List.of("/", "/redis", "/processes", "/api/v1/processes")) {
                assertThat(caller.get(page.group(1) + path).body()).doesNotContain(SECRETS);
            }
            server.signal("TERM");
            assertThat(server.awaitExit()).as(server::log).isZero();
            assertThat(server.log()).contains("Redis " + url).doesNotContain(SECRETS);

            Child config = place.mawashiLimited(variables, "config", "-r", APP);
            assertThat(config.awaitExit()).as(config::log).isZero();
            assertThat(config.log())
                    .containsPattern("redis +" + url + " +REDIS_URL_FILE: its password is not")
                    .doesNotContain(SECRETS);
        }
    }

    private static boolean isSecret(String words) {
        return Stream.of(SECRETS).anyMatch(words::contains);
    }

    /// Of the server and of all that it started, what `ps` shows.
    private static List<String> words(Child server) {
        List<String> words = new ArrayList<>();
        ProcessHandle process = ProcessHandle.of(server.pid()).orElseThrow();
        Stream.concat(Stream.of(process), process.descendants())
                .forEach(one -> words.add(one.info().commandLine().orElse("")));
        return words;
    }
}
