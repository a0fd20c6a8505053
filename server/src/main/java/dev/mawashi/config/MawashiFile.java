package dev.mawashi.config;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.mawashi.config.PoolSettings.Limits;
import dev.mawashi.cron.CronFile;
import dev.mawashi.fetch.QueuePatterns;
import dev.mawashi.wire.RedactionRule;
import dev.mawashi.wire.ResqueKeys;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.nodes.Node;

/// Reads `config/mawashi.yml`: YAML without ERB. Anything unknown or invalid in it is an error that
/// names its line.
public final class MawashiFile {
    private static final String SCHEMA = "mawashi.schema.json";
    private static final long BYTES_MAX = 1 << 20;
    private static final long BOOT_LIMIT_SECONDS_MAX = 86_400;
    private static final long TIME_LIMIT_SECONDS_MAX = 1_000_000;
    private static final int CONNECTIONS_MAX = 10_000;

    private MawashiFile() {}

    /// The JSON schema of the file.
    public static String schema() {
        try (InputStream text = MawashiFile.class.getResourceAsStream(SCHEMA)) {
            return new String(Objects.requireNonNull(text, SCHEMA).readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + SCHEMA + ": " + e.getMessage(), e);
        }
    }

    /// @return what it says; `NONE` when there is no such file
    /// @throws ConfigFailure when it cannot be read or understood
    public static RunnerChoice read(Path file) {
        try {
            long bytes = Files.size(file);
            if (bytes > BYTES_MAX) {
                throw new ConfigFailure(
                        String.format(
                                Locale.ROOT,
                                "%s is %,d bytes, at most %,d: is it a config file?",
                                file,
                                bytes,
                                BYTES_MAX));
            }
            return parse(Files.readString(file), file.toString());
        } catch (CharacterCodingException _) {
            throw new ConfigFailure("cannot read " + file + ": it is not UTF-8");
        } catch (NoSuchFileException _) {
            return RunnerChoice.NONE;
        } catch (IOException e) {
            throw new ConfigFailure("cannot read " + file + ": " + e.getMessage());
        }
    }

    /// @param name of the file, for errors
    static RunnerChoice parse(String text, String name) {
        Optional<Node> root;
        try {
            root = new Compose(LoadSettings.builder().setLabel(name).build()).composeString(text);
        } catch (RuntimeException e) {
            // The parser throws its own exceptions, but a NumberFormatException for an escape that
            // is cut short.
            throw new ConfigFailure(name + " is no YAML: " + oneLine(e));
        } catch (StackOverflowError _) {
            throw new ConfigFailure(name + " is nested too deeply");
        }
        return root.map(node -> choice(node, name)).orElse(RunnerChoice.NONE);
    }

    private static String oneLine(RuntimeException e) {
        return String.valueOf(e.getMessage()).strip().replaceAll("\\s*\\R\\s*", ", ");
    }

    private static RunnerChoice choice(Node root, String name) {
        List<String> mistakes = new ArrayList<>();
        RunnerChoice choice = choice(new ConfigMap(name, mistakes, "", root));
        if (!mistakes.isEmpty()) {
            throw new ConfigFailure(mistakes);
        }
        return choice;
    }

    private static RunnerChoice choice(ConfigMap top) {
        PoolSettings all = pool(top, top.kindAt("runner"));
        String ruby = top.text("ruby");
        String javaClassPath = top.text("java_classpath");
        Map<String, PoolSettings> capsules = new HashMap<>();
        top.maps("capsules").forEach((name, map) -> capsules.put(name, section(map)));
        Map<String, PoolSettings> queues = new HashMap<>();
        top.maps("queues").forEach((name, map) -> queues.put(name, section(map)));
        Map<RunnerKind, PoolSettings> runners = new EnumMap<>(RunnerKind.class);
        top.maps("runners")
                .forEach((name, map) -> {
                    RunnerKind kind = map.kind(name);
                    PoolSettings settings = pool(map, kind);
                    map.close();
                    if (kind != null) {
                        runners.put(kind, settings);
                    }
                });
        ResqueChoice resque = resque(top.map("resque"));
        List<RedactionRule> redact = RedactSection.read(top);
        CronFile cron = CronSection.read(top);
        RestartChoice restart = restart(top.map("restart"));
        Level logLevel = top.level("log_level");
        Integer connections = top.whole("connections", 1, CONNECTIONS_MAX);
        top.close();
        return new RunnerChoice(
                all,
                ruby,
                javaClassPath,
                capsules,
                queues,
                runners,
                resque,
                redact,
                cron,
                restart,
                logLevel,
                connections,
                top.origins());
    }

    private static RestartChoice restart(@Nullable ConfigMap map) {
        if (map == null) {
            return RestartChoice.DEFAULT;
        }
        Duration bootLimit = duration(map.number("boot_limit", BOOT_LIMIT_SECONDS_MAX));
        Duration oldLimit = duration(map.number("old_limit", TIME_LIMIT_SECONDS_MAX));
        Integer memory = map.whole("memory", 1, 1_000_000);
        map.close();
        return new RestartChoice(
                bootLimit == null ? RestartChoice.DEFAULT.bootLimit() : bootLimit,
                oldLimit,
                memory,
                map.origins());
    }

    private static @Nullable Duration duration(@Nullable Double seconds) {
        return seconds == null ? null : Duration.ofMillis(Math.max(1, Math.round(seconds * 1_000)));
    }

    private static ResqueChoice resque(@Nullable ConfigMap map) {
        if (map == null) {
            return ResqueChoice.NONE;
        }
        ResqueChoice choice =
                new ResqueChoice(
                        map.text("queues", QueuePatterns::new),
                        map.text("namespace", ResqueKeys::new),
                        pool(map, map.rubyKindAt("runner")),
                        map.numbers("time_limits", TIME_LIMIT_SECONDS_MAX),
                        map.origins());
        map.close();
        return choice;
    }

    private static PoolSettings section(ConfigMap map) {
        PoolSettings settings = pool(map, map.kindAt("runner"));
        map.close();
        return settings;
    }

    private static PoolSettings pool(ConfigMap map, @Nullable RunnerKind kind) {
        return new PoolSettings(
                kind,
                map.whole("processes", 1, PoolSettings.PROCESSES_MAX),
                map.whole("concurrency", 1, PoolSettings.CONCURRENCY_MAX),
                map.isVirtual("threads"),
                new Limits(
                        map.number("time_limit", TIME_LIMIT_SECONDS_MAX),
                        map.whole("memory_limit", 1, 1_000_000),
                        map.whole("recycle_jobs", 1, Integer.MAX_VALUE),
                        map.number("recycle_hours", 100_000)),
                map.origins());
    }
}
