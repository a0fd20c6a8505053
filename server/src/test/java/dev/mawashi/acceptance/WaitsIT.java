package dev.mawashi.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.Eventually;
import dev.mawashi.fleet.StackView;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What stacks of real Ruby threads are taken to wait for, on MRI and on JRuby.
final class WaitsIT {
    /// By the names that `waits.rb` gives them, words of the sentence.
    private static final Map<String, String> OWN =
            Map.ofEntries(
                    Map.entry("sleep", "its own sleep"),
                    Map.entry("lock", "a lock that another thread holds"),
                    Map.entry("synchronize", "a lock that another thread holds"),
                    Map.entry("monitor", "a lock that another thread holds"),
                    Map.entry("pop", "a queue between threads"),
                    Map.entry("condition", "another program or thread"),
                    Map.entry("join", "another program or thread"),
                    Map.entry("flock", "a lock on a file"),
                    Map.entry("gets", "bytes of a socket or pipe"),
                    Map.entry("readpartial", "bytes of a socket or pipe"),
                    Map.entry("http", "bytes of a socket or pipe"),
                    Map.entry("select", "bytes of a socket or pipe"),
                    Map.entry("write", "a socket or pipe to take bytes"),
                    Map.entry("system", "another program or thread"),
                    Map.entry("capture", "another program or thread"));

    private static final Map<String, String> POOLS =
            Map.of(
                    "active_record", "ActiveRecord's pool",
                    "sequel", "Sequel's pool",
                    "connection_pool", "a ConnectionPool");

    @TempDir Path folder;

    @Test
    void eachWaitOnMriIsKnown() {
        Map<String, String> all = new TreeMap<>(OWN);
        all.putAll(POOLS);
        assertKnown(all, "ruby");
    }

    @Test
    void eachWaitOnJrubyIsKnown() {
        List<String> jruby = new ArrayList<>(Programs.mawashiCommand());
        jruby.set(jruby.size() - 1, "org.jruby.Main");
        assertKnown(OWN, jruby.toArray(String[]::new));
    }

    private void assertKnown(Map<String, String> expected, String... ruby) {
        try (Programs programs = new Programs(folder, "redis://127.0.0.1:1")) {
            List<String> command = new ArrayList<>(List.of(ruby));
            command.add(Programs.SCRIPTS.resolve("waits.rb").toString());
            Child child = programs.start("waits", command, Map.of());
            Map<String, String> left = new TreeMap<>(expected);
            try {
                Eventually.until(
                        "all are known",
                        Duration.ofSeconds(60),
                        () -> {
                            child.logLines().forEach(line -> strike(left, line));
                            return left.isEmpty() || !child.isAlive();
                        });
            } catch (AssertionError late) {
                throw new AssertionError(left + " in\n" + child.log(), late);
            }
            assertThat(left).as(child.log()).isEmpty();
        }
    }

    /// Takes a wait out of those that are left, if its sentence is the right one.
    private static void strike(Map<String, String> left, String line) {
        List<String> words = List.of(line.split("\t", -1));
        String wanted = left.get(words.getFirst());
        if (wanted != null && stack(words.subList(1, words.size())).waitsFor().contains(wanted)) {
            left.remove(words.getFirst());
        }
    }

    private static StackView stack(List<String> ruby) {
        return new StackView("", "", "", "", Duration.ZERO, "", 0, "", ruby, List.of(), "");
    }
}
