package dev.mawashi.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The ACL that the guide calls enough, read out of the guide, so that the tests try what an
/// operator would copy.
public final class GuideAcl {
    private static final Path GUIDE = Path.of("../docs/guide/redis.md");
    private static final Pattern SECTION = Pattern.compile("(?s)\n## ACL\n(.*?)\n## ");
    private static final Pattern BLOCK =
            Pattern.compile("(?m)^    (ACL SETUSER mawashi .*(?:\n      .*)*)$");
    private static final Pattern COMMAND = Pattern.compile("\\+([a-z]+)");

    private GuideAcl() {}

    /// The section of the guide.
    private static String section() {
        try {
            Matcher found = SECTION.matcher(Files.readString(GUIDE));
            if (!found.find()) {
                throw new IllegalStateException(GUIDE + " has no section ACL");
            }
            return found.group(1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<String> commands(String text) {
        return COMMAND.matcher(text).results().map(found -> found.group(1));
    }

    /// The commands that a server needs, in lower case and without subcommands.
    public static List<String> ofServers() {
        return blocks().stream().limit(2).flatMap(GuideAcl::commands).toList();
    }

    /// All commands that the section names, with those that one can do without.
    public static List<String> ofAll() {
        return commands(section()).toList();
    }

    /// What to send Redis: for `run` on Sidekiq's queues, for Resque's, for the page and the
    /// commands.
    private static List<String> blocks() {
        List<String> blocks =
                BLOCK.matcher(section()).results().map(found -> found.group(1)).toList();
        if (blocks.size() != 3) {
            throw new IllegalStateException("the section ACL has these blocks: " + blocks);
        }
        return blocks;
    }

    /// Makes the user of a server of both kinds of queues, without the page.
    ///
    /// @return where it logs in
    public static RedisAddress makeServer(RedisConnection admin, RedisAddress redis) {
        return make(admin, redis, 2);
    }

    /// Makes the user that may do all that there is.
    ///
    /// @return where it logs in
    public static RedisAddress makeOperator(RedisConnection admin, RedisAddress redis) {
        return make(admin, redis, 3);
    }

    private static RedisAddress make(RedisConnection admin, RedisAddress redis, int most) {
        for (String block : blocks().subList(0, most)) {
            admin.call(block.trim().split("\\s+", -1));
        }
        return RedisAddress.parse(redis.toString().replace("redis://", "redis://mawashi:secret@"));
    }

    /// What Redis has refused to anyone, but for the one command without which a server starts as
    /// well.
    public static List<String> refused(RedisConnection admin) {
        List<String> refused = new ArrayList<>();
        for (Object entry : (List<?>) Objects.requireNonNull(admin.call("ACL", "LOG"))) {
            StringBuilder line = new StringBuilder();
            for (Object part : (List<?>) Objects.requireNonNull(entry)) {
                line.append(part instanceof byte[] text ? new String(text, UTF_8) : part);
                line.append(' ');
            }
            if (line.indexOf("object config|get ") < 0) {
                refused.add(line.toString());
            }
        }
        return refused;
    }
}
