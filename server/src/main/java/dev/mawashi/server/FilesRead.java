package dev.mawashi.server;

import dev.mawashi.config.CapsulePlan;
import dev.mawashi.config.ConfigFailure;
import dev.mawashi.cron.CronSchedule;
import dev.mawashi.ruby.AppSettings;
import dev.mawashi.ruby.AppSettings.Pool;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/// The settings of a server as flags and files give them by now, with what the app's code has set
/// in place of what the files say.
///
/// @param server those of flags and `config/mawashi.yml`
/// @param app those of the app's config file
/// @param capsules as both together want them
record FilesRead(ServerSettings server, AppSettings app, List<CapsulePlan> capsules) {
    private static final String CONFIG_FILE = "config_file";

    /// Where settings come from that the app's code or its folder has made.
    private static final String THE_APP = "the app";

    /// Reads and checks them.
    ///
    /// @param apps what runs
    /// @param reader reads `config/mawashi.yml` in a folder, and joins it with the flags
    /// @param limit see `App.filesSettings`
    /// @throws ConfigFailure when they cannot be followed
    /// @throws StartFailure the same
    /// @throws dev.mawashi.ruby.RubyBootFailure the same
    /// @throws dev.mawashi.children.ChildFailure the same
    static FilesRead of(Apps apps, Function<Path, ServerSettings> reader, Duration limit) {
        Path folder = apps.filesFolder();
        if (!Files.isDirectory(folder.toAbsolutePath())) {
            throw new ConfigFailure("the app's folder " + folder.toAbsolutePath() + " is gone");
        }
        ServerSettings server = reader.apply(folder);
        AppSettings files = apps.filesSettings(limit);
        requireFile(apps.settings(), files);
        return of(server, joined(apps.settings(), files));
    }

    /// Reads `config/mawashi.yml`, beside the settings of new code.
    ///
    /// @param app from files and code
    /// @throws ConfigFailure when they cannot be followed
    /// @throws StartFailure the same
    static FilesRead of(Apps apps, Function<Path, ServerSettings> reader, AppSettings app) {
        return of(reader.apply(apps.filesFolder()), app);
    }

    private static FilesRead of(ServerSettings server, AppSettings app) {
        List<CapsulePlan> capsules = Apps.plan(app, server.runners());
        capsules.forEach(
                plan -> Pools.settings(plan, server.runners().queues(), Integer.MAX_VALUE));
        List<CronSchedule> _ = PeriodicJobs.of(app);
        return new FilesRead(server, app, capsules);
    }

    /// One that is not there at this moment must not count as one that says nothing.
    private static void requireFile(AppSettings running, AppSettings files) {
        String before = configFile(running);
        if (!before.isEmpty() && configFile(files).isEmpty()) {
            throw new ConfigFailure(
                    before + " is gone: put it back, or start the server anew without it");
        }
    }

    private static String configFile(AppSettings settings) {
        return settings.origins().stream()
                .filter(origin -> origin.key().equals(CONFIG_FILE))
                .map(AppSettings.Origin::value)
                .findFirst()
                .orElse("");
    }

    private static AppSettings joined(AppSettings running, AppSettings files) {
        return new AppSettings(
                from("timeout", running, files).timeoutSeconds(),
                from("tag", running, files).tag(),
                from("labels", running, files).labels(),
                from("max_retries", running, files).maxRetries(),
                from("dead_max_jobs", running, files).deadMaxJobs(),
                from("dead_timeout_in_seconds", running, files).deadSeconds(),
                pools(running, files),
                files.origins(),
                running.periodic());
    }

    private static AppSettings from(String key, AppSettings running, AppSettings files) {
        return isAppsOwn(key, running) ? running : files;
    }

    private static boolean isAppsOwn(String key, AppSettings running) {
        return running.place(key).startsWith(THE_APP);
    }

    private static List<Pool> pools(AppSettings running, AppSettings files) {
        Map<String, Pool> wanted = new LinkedHashMap<>();
        files.capsules().forEach(pool -> wanted.put(pool.name(), pool));
        List<Pool> pools = new ArrayList<>();
        for (Pool before : running.capsules()) {
            Pool now = wanted.remove(before.name());
            String key = "capsules." + before.name() + ".";
            boolean isQueuesOwn = isAppsOwn(key + "queues", running);
            boolean isConcurrencyOwn = isAppsOwn(key + "concurrency", running);
            if (now != null) {
                pools.add(
                        new Pool(
                                before.name(),
                                isConcurrencyOwn ? before.concurrency() : now.concurrency(),
                                isQueuesOwn ? before.queues() : now.queues()));
            } else if (isQueuesOwn && isConcurrencyOwn) {
                pools.add(before);
            }
        }
        pools.addAll(wanted.values());
        return pools;
    }
}
