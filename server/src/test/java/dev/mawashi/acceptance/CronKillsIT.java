package dev.mawashi.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.wire.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Schedules of one to five seconds in three servers, of which one after the other is killed or
/// stands still. Nobody serves the queues of the jobs, so that each is there in the end.
///
/// `-Dcron.seconds=300` has it go on for that long.
final class CronKillsIT {
    private static final int FAULTS = 4;
    private static final int STEPS = 5;

    @TempDir Path folder;

    /// Of each schedule, the tick of each job by its jid.
    private final Map<String, Map<String, Instant>> ticks = new HashMap<>();

    private int faults;

    /// Long: a campaign of faults; CronIT kills servers too.
    @Tag("long")
    @Test
    void noTickComesTwiceAndNoneIsMissed() throws IOException {
        String config = config();
        try (Workplace place = new Workplace(folder)) {
            List<Child> servers = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                servers.add(serve(place, config));
            }
            awaitAll(place, servers);
            long end = System.nanoTime() + Duration.ofSeconds(seconds()).toNanos();
            while (faults < FAULTS || System.nanoTime() < end) {
                disturb(place, servers, config);
                faults++;
            }
            // Those that still start end too, once they can.
            awaitAll(place, servers);
            servers.forEach(server -> server.signal("TERM"));
            servers.forEach(server -> assertThat(server.awaitExit()).as(server::log).isZero());
            collect(place);
            check(place);
        }
    }

    private static int seconds() {
        return Integer.getInteger("cron.seconds", 0);
    }

    private static Child serve(Workplace place, String config) {
        return place.runOnMri(Workplace.NO_GEMS, "-C", config);
    }

    /// Each step twice: all ticks of one schedule are wanted, of the other the last.
    private String config() throws IOException {
        StringBuilder text = new StringBuilder("cron:\n");
        for (int step = 1; step <= STEPS; step++) {
            for (String missed : List.of("all", "one")) {
                text.append(
                        "  %2$s%1$d: { cron: \"*/%1$d * * * * *\", class: A, queue: %2$s%1$d, missed: %2$s }%n"
                                .formatted(step, missed));
            }
        }
        Files.writeString(folder.resolve("mawashi.yml"), text);
        String app = ":queues: [default]\n:concurrency: 1\n";
        return Files.writeString(folder.resolve("sidekiq.yml"), app).toString();
    }

    /// A server is killed and another started, or it stands still until two others have gone on.
    private void disturb(Workplace place, List<Child> servers, String config) {
        int which = faults % servers.size();
        Child server = servers.get(which);
        if (faults % 2 == 0) {
            server.kill();
            servers.set(which, serve(place, config));
            awaitTicks(place, 2);
        } else {
            server.signal("STOP");
            awaitTicks(place, 4);
            server.signal("CONT");
            awaitTicks(place, 1);
        }
    }

    private void awaitTicks(Workplace place, int more) {
        collect(place);
        int before = ticks.get("all1").size();
        place.await(
                "schedules go on",
                () -> {
                    collect(place);
                    return ticks.get("all1").size() >= before + more;
                });
    }

    /// The first of them decides ticks while others still start.
    private void awaitAll(Workplace place, List<Child> servers) {
        place.await(
                "all work",
                () -> {
                    collect(place);
                    return servers.stream().allMatch(one -> one.log().contains("working on"));
                });
    }

    /// Redis keeps the last 20 records of each.
    private void collect(Workplace place) {
        for (int step = 1; step <= STEPS; step++) {
            for (String name : List.of("all" + step, "one" + step)) {
                Map<String, Instant> own = ticks.computeIfAbsent(name, _ -> new HashMap<>());
                for (byte[] record : place.strings("LRANGE", "mw:cron:runs:" + name, "0", "-1")) {
                    JsonObject run = JsonObject.of(record);
                    own.put(run.text("jid"), run.instant("tick").orElseThrow());
                }
            }
        }
    }

    private void check(Workplace place) {
        Map<String, String> figures = new TreeMap<>();
        ticks.forEach((name, own) -> {
            List<String> jids =
                    place.strings("LRANGE", "queue:" + name, "0", "-1").stream()
                            .map(job -> JsonObject.of(job).text("jid"))
                            .toList();
            assertThat(jids).as(name).containsExactlyInAnyOrderElementsOf(own.keySet());
            assertThat(own.values()).as(name).doesNotHaveDuplicates();
            Duration step = Duration.ofSeconds(Integer.parseInt(name.substring(3)));
            List<Instant> sorted = own.values().stream().sorted().toList();
            long possible =
                    Duration.between(sorted.getFirst(), sorted.getLast()).dividedBy(step) + 1;
            long missed = possible - sorted.size();
            if (name.startsWith("all")) {
                assertThat(missed).as(name + ": " + sorted).isZero();
            }
            figures.put(name, sorted.size() + " ticks, " + missed + " missed");
        });
        System.err.println(faults + " faults: " + figures);
    }
}
