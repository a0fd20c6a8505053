package dev.mawashi.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.EachOf;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The connections of a server, as the guide's table in `redis.md` counts them: a Redis may admit
/// few.
@Tag("stack")
final class ConnectionsIT {
    private static final Pattern NAME = Pattern.compile(" name=(\\S*)");

    /// With one queue, after a job. The test's own is the one that is not a server's.
    private static final Map<String, Long> AT_REST =
            Map.ofEntries(
                    Map.entry("test", 1L),
                    Map.entry("mawashi-claim", 1L),
                    Map.entry("mawashi-park", 1L),
                    Map.entry("mawashi-settle", 1L),
                    Map.entry("mawashi-lease", 1L),
                    Map.entry("mawashi-chores", 1L),
                    Map.entry("mawashi-answer", 1L),
                    Map.entry("mawashi-follow", 1L),
                    Map.entry("mawashi-watch", 1L));

    private static final Pattern URL = Pattern.compile("the page, probes and metrics at (\\S+)");

    @TempDir Path folder;

    /// Slots and children have none.
    @EachOf({"mri", "fork", "jruby", "java"})
    void aServerHasTheSameOnEachRunner(String runner) throws Exception {
        try (Workplace place = new Workplace(folder)) {
            boolean isJava = runner.equals("java");
            Path classes = Files.createDirectory(folder.resolve("classes"));
            List<String> app =
                    isJava
                            ? List.of("--java-classpath", classes.toString())
                            : List.of("-r", Workplace.APP);
            List<String> flags = new ArrayList<>(List.of("run", "--runner", runner));
            flags.addAll(List.of("-c", "5"));
            flags.addAll(app);
            place.pushJobs(20, "default", isJava ? "Missing" : "PlainJob", "[]");

            Child server = place.mawashi(Map.of(), flags.toArray(String[]::new));
            place.await("the jobs ran", () -> place.number("LLEN", "queue:default") == 0);
            server.awaitLog("working on");
            place.await("it is at rest", () -> open(place).equals(AT_REST));
        }
    }

    /// Each capsule claims and each queue is parked at; Resque has a lease and outcomes of its own.
    /// Work takes no more than rest does. Long: a server more; `aLimitHolds` has a server at work.
    @Tag("long")
    @Test
    void moreCapsulesQueuesAndResqueAddTheirOwn() throws Exception {
        Path config = Files.writeString(folder.resolve("sidekiq.yml"), ":timeout: 5\n");
        String file = "queues: { mail: { concurrency: 1 } }\n";
        Files.writeString(folder.resolve("mawashi.yml"), file);
        Map<String, Long> wanted = new TreeMap<>(AT_REST);
        wanted.put("mawashi-claim", 3L);
        wanted.put("mawashi-park", 5L);
        wanted.put("mawashi-settle", 2L);
        wanted.put("mawashi-lease", 2L);
        try (Workplace place = new Workplace(folder)) {
            List<String> flags = new ArrayList<>(List.of("run", "-r", Workplace.APP, "-C"));
            flags.addAll(List.of(config.toString(), "-c", "5", "--processes", "2"));
            flags.addAll(List.of("-q", "default", "-q", "low", "-q", "mail"));
            flags.addAll(List.of("--runner", "mri", "--resque", "high,low"));
            Child server = place.mawashi(Map.of(), flags.toArray(String[]::new));
            awaitStart(place, server, wanted);
            List<String> queues = List.of("default", "low", "mail");
            queues.forEach(queue -> push(place, 2_000, queue));
            place.number("RPUSH", "resque:queue:high", "{\"class\":\"Missing\",\"args\":[]}");
            place.await(
                    "the jobs ran",
                    () -> {
                        assertThat(open(place)).allSatisfy(atMost(wanted));
                        return queues.stream()
                                .allMatch(queue -> place.number("LLEN", "queue:" + queue) == 0);
                    });
            place.await("it is at rest", () -> open(place).equals(wanted));
        }
    }

    /// Long: a server more; ManyQueuesIT has such queues.
    @Tag("long")
    @Test
    void queuesBeyondTheFirst32AddNone() throws Exception {
        try (Workplace place = new Workplace(folder)) {
            List<String> flags = new ArrayList<>(List.of("run", "--runner", "java", "-c", "5"));
            Path classes = Files.createDirectory(folder.resolve("classes"));
            flags.addAll(List.of("--java-classpath", classes.toString()));
            for (int i = 0; i < 40; i++) {
                flags.addAll(List.of("-q", "q" + i));
            }
            Child _ = place.mawashi(Map.of(), flags.toArray(String[]::new)).awaitLog("working on");
            push(place, 20, "q39");

            place.await("the jobs were taken", () -> place.number("LLEN", "queue:q39") == 0);
            Map<String, Long> wanted = new TreeMap<>(AT_REST);
            wanted.put("mawashi-park", 32L);
            place.await("it is at rest", () -> open(place).equals(wanted));
        }
    }

    /// At work, with a page that many ask at once. Those of its queues that it parks nobody at are
    /// served too.
    @Test
    void aLimitHolds() throws Exception {
        int limit = 31;
        Path config = Files.writeString(folder.resolve("sidekiq.yml"), ":timeout: 5\n");
        Files.writeString(folder.resolve("mawashi.yml"), "connections: " + limit + "\n");
        try (Workplace place = new Workplace(folder);
                Caller caller = new Caller()) {
            List<String> queues = IntStream.range(0, 40).mapToObj(i -> "q" + i).toList();
            List<String> flags = new ArrayList<>(List.of("run", "--runner", "mri", "-c", "5"));
            flags.addAll(List.of("-r", Workplace.APP, "-C", config.toString(), "--web", "0"));
            queues.forEach(queue -> flags.addAll(List.of("-q", queue)));
            Child server = place.mawashi(Map.of(), flags.toArray(String[]::new));
            Matcher url = URL.matcher(server.awaitLog("the page, probes", "working on").log());
            assertThat(url.find()).isTrue();

            queues.forEach(queue -> push(place, 100, queue));
            List<CompletableFuture<Void>> readers =
                    IntStream.range(0, 12)
                            .mapToObj(_ ->
                                    CompletableFuture.runAsync(
                                            () -> caller.get(url.group(1) + "/queues")))
                            .toList();
            place.await(
                    "the jobs ran",
                    () -> {
                        assertThat(ofServer(place)).isLessThanOrEqualTo(limit);
                        return queues.stream()
                                .allMatch(queue -> place.number("LLEN", "queue:" + queue) == 0);
                    });
            readers.forEach(CompletableFuture::join);
            // It may park first once the jobs have ended.
            place.await("it parks", () -> open(place).getOrDefault("mawashi-park", 0L) == 5);
            assertThat(ofServer(place)).isLessThanOrEqualTo(limit);
        }
    }

    @Test
    void aLimitBelowTheLeastEndsTheStart() throws Exception {
        Path config = Files.writeString(folder.resolve("sidekiq.yml"), ":timeout: 5\n");
        Files.writeString(folder.resolve("mawashi.yml"), "connections: 14\n");
        try (Workplace place = new Workplace(folder)) {
            List<String> flags = new ArrayList<>(List.of("run", "--runner", "mri", "-c", "5"));
            flags.addAll(List.of("-r", Workplace.APP, "-C", config.toString()));
            flags.addAll(List.of("-q", "default", "--resque", "high"));
            Child server = place.mawashi(Map.of(), flags.toArray(String[]::new));

            assertThat(server.awaitExit()).isEqualTo(1);
            assertThat(server.log())
                    .contains(
                            "connections is 14 in mawashi.yml, and this server needs 16: 14, and");
        }
    }

    /// At its start a server asks over a connection of its own what its user may do. It logs the
    /// durability after that.
    private static void awaitStart(Workplace place, Child server, Map<String, Long> wanted) {
        server.awaitLog("working on", "durability of Redis");
        place.await(
                "the start's own connection is closed",
                () -> wanted.keySet().containsAll(open(place).keySet()));
    }

    private static long ofServer(Workplace place) {
        return open(place).entrySet().stream()
                .filter(one -> one.getKey().startsWith("mawashi-"))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    /// One that is just being opened has no name yet.
    private static BiConsumer<String, Long> atMost(Map<String, Long> wanted) {
        return (name, count) -> {
            if (!name.isEmpty()) {
                assertThat(count).isLessThanOrEqualTo(wanted.getOrDefault(name, 0L));
            }
        };
    }

    private static void push(Workplace place, int count, String queue) {
        List<byte[]> payloads = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            payloads.add(
                    "{\"class\":\"PlainJob\",\"args\":[],\"jid\":\"%s%d\"}"
                            .formatted(queue, i)
                            .getBytes(StandardCharsets.UTF_8));
        }
        place.push(queue, payloads);
    }

    private static Map<String, Long> open(Workplace place) {
        String list = new String(place.bytes("CLIENT", "LIST"), StandardCharsets.UTF_8);
        Map<String, Long> counts =
                NAME.matcher(list)
                        .results()
                        .map(MatchResult::group)
                        .map(found -> found.substring(" name=".length()))
                        .collect(
                                Collectors.groupingBy(
                                        name -> name, TreeMap::new, Collectors.counting()));
        return counts;
    }
}
