package dev.mawashi.cli;

import dev.mawashi.config.CapsulePlan;
import dev.mawashi.config.Origins;
import dev.mawashi.config.PoolSettings;
import dev.mawashi.config.RestartChoice;
import dev.mawashi.config.RunnerKind;
import dev.mawashi.http.Access;
import dev.mawashi.redis.RedisAddress;
import dev.mawashi.ruby.AppSettings;
import dev.mawashi.server.JvmSettings;
import dev.mawashi.server.Logging;
import dev.mawashi.server.ResqueSettings;
import dev.mawashi.server.ServerPlan;
import dev.mawashi.server.ServerSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The rows that `mawashi config` prints.
final class ConfigRows {
    private static final String SERVER = "server";
    private static final String OTHERS = "others.";
    private static final List<String> SECRETS =
            List.of(
                    "MAWASHI_WEB_VIEWER",
                    "MAWASHI_WEB_ENQUEUER",
                    "MAWASHI_WEB_OPERATOR",
                    "MAWASHI_WEB_ADMIN");

    private final ServerSettings settings;
    private final ServerPlan plan;
    private final Surroundings surroundings;
    private final List<Setting> rows = new ArrayList<>();
    private String part = SERVER;

    /// @param isGiven whether a flag was given
    /// @param redis the flag or variable that names it
    /// @param namespace the flag or variable that gives it
    /// @param logFormat the format, and the flag or variable that names it
    /// @param runnerReason why the runner was chosen where nobody names one
    /// @param file `mawashi.yml`; null when there is none
    record Surroundings(
            Map<String, String> environment,
            Predicate<String> isGiven,
            String redis,
            String namespace,
            Map.Entry<String, String> logFormat,
            String runnerReason,
            @Nullable String file) {}

    ConfigRows(ConfigReading.Found found, Surroundings surroundings) {
        settings = found.settings();
        plan = found.plan();
        this.surroundings = surroundings;
    }

    List<Setting> rows(List<JvmSettings.Found> jvm) {
        addApp();
        addServer();
        addPrograms();
        plan.capsules().forEach(this::addCapsule);
        addResque();
        addRestart();
        part = "jvm";
        for (JvmSettings.Found one : jvm) {
            Object value = one.bytes() > 0 ? one.bytes() >> 20 : one.text();
            rows.add(
                    new Setting(
                            part,
                            one.name(),
                            value,
                            one.bytes() > 0 ? "MB" : "",
                            one.place(),
                            one.reason()));
        }
        return Collections.unmodifiableList(rows);
    }

    private void addApp() {
        AppSettings app = plan.app();
        flag("require", "-r", Objects.requireNonNullElse(settings.app().require(), "."), "");
        add("environment", value("environment"), app.place("environment"));
        String file = value("config_file");
        boolean isNamed = surroundings.isGiven().test("-C");
        add("config file", file.isEmpty() ? null : file, isNamed ? "-C" : Setting.DEFAULT);
        add("mawashi.yml", surroundings.file(), isNamed ? "-C" : Setting.DEFAULT);
        if (!plan.api().isEmpty()) {
            add("app", plan.api(), "--load");
        }
        number("timeout", app.timeoutSeconds(), "s", app.place("timeout"));
        if (app.tag() == null) {
            explained("tag", settings.tagDefault(), Setting.DEFAULT, "name of the app's folder");
        } else {
            add("tag", app.tag(), app.place("tag"));
        }
        add("labels", app.labels().isEmpty() ? null : app.labels(), app.place("labels"));
        number("max_retries", app.maxRetries(), "", app.place("max_retries"));
        number("dead_max_jobs", app.deadMaxJobs(), "", app.place("dead_max_jobs"));
        String age = "dead_timeout_in_seconds";
        number(age, app.deadSeconds(), "s", app.place(age));
        addOthers(app);
    }

    /// Keys whose values are the app's own affair, and may be secret.
    private void addOthers(AppSettings app) {
        for (AppSettings.Origin origin : app.origins()) {
            if (origin.key().startsWith(OTHERS)) {
                String name = origin.key().substring(OTHERS.length());
                explained(
                        name,
                        "not shown",
                        origin.place(),
                        "Mawashi does not read this key, the app may");
            }
        }
    }

    private String value(String key) {
        return plan.app().origins().stream()
                .filter(origin -> origin.key().equals(key))
                .map(AppSettings.Origin::value)
                .findFirst()
                .orElse("");
    }

    private void addServer() {
        RedisAddress redis = settings.redis();
        String login = redis.hasPassword() ? "its password is not shown" : "";
        explained("redis", redis.withoutNamespace().toString(), surroundings.redis(), login);
        String namespace = redis.namespace();
        add("namespace", namespace.isEmpty() ? null : namespace, surroundings.namespace());
        flag("lease", "--lease", settings.lease().length().toMillis() / 1e3, "s");
        flag("sweep", "--sweep", settings.lease().sweep().toMillis() / 1e3, "s");
        flag("strict", "--strict", settings.isStrict(), "");
        List<String> accepted = settings.app().accepted();
        flag("accept", "--accept", accepted.isEmpty() ? null : accepted, "");
        var web = settings.listening().web();
        flag("web", "--web", web == null ? null : web.access().address().toString(), "");
        Access health = settings.listening().health();
        flag("health", "--health", health == null ? null : health.address().toString(), "");
        SECRETS.stream()
                .flatMap(name -> Stream.of(name, name + "_FILE"))
                .filter(name -> !surroundings.environment().getOrDefault(name, "").isEmpty())
                .forEach(name -> add(name, "set, not shown", name));
        Map.Entry<String, String> format = surroundings.logFormat();
        add("log format", format.getKey(), format.getValue());
        String verbose = surroundings.isGiven().test("-v") ? "-v" : "DEBUG_INVOCATION";
        boolean isVerbose = settings.app().isVerbose();
        add("verbose", isVerbose, isVerbose ? verbose : Setting.DEFAULT);
        Origins origins = settings.runners().origins();
        String level = isVerbose ? verbose : origins.place("log_level", Setting.DEFAULT);
        add("log_level", Logging.word(settings.logLevel()), level);
        Integer connections = settings.runners().connections();
        add("connections", connections, origins.place("connections", Setting.DEFAULT));
    }

    private void addPrograms() {
        Origins origins = settings.runners().origins();
        if (settings.runners().kinds().stream().anyMatch(RunnerKind::isInChildren)) {
            String ruby = settings.runners().ruby();
            String place = origins.place("ruby", Setting.DEFAULT);
            explained("ruby", ruby == null ? "ruby" : ruby, place, ruby == null ? "on PATH" : "");
        }
        int rules = settings.runners().redact().size();
        rows.add(
                new Setting(
                        part,
                        "redact",
                        rules == 0 ? null : rules,
                        rules == 1 ? "rule" : "rules",
                        origins.place("redact", Setting.DEFAULT),
                        ""));
        int schedules = settings.runners().cron().schedules().size();
        if (schedules > 0) {
            add("cron", schedules, origins.place("cron", Setting.DEFAULT));
        }
        String path = settings.runners().javaClassPath();
        if (path != null) {
            add("java_classpath", path, origins.place("java_classpath", Setting.DEFAULT));
        }
    }

    private void addCapsule(CapsulePlan capsule) {
        part = "capsule " + capsule.name();
        Origins origins = capsule.settings().origins();
        boolean hasWeights = capsule.queues().values().stream().anyMatch(weight -> weight != 0);
        if (!capsule.isForClasses()) {
            List<String> queues =
                    capsule.queues().entrySet().stream()
                            .map(queue ->
                                    hasWeights
                                            ? queue.getKey() + "," + queue.getValue()
                                            : queue.getKey())
                            .toList();
            String order = hasWeights ? "drawn by weights" : "strict order";
            String place = origins.place("queues", Setting.DEFAULT);
            rows.add(new Setting(part, "queues", queues, "", place, order));
        }
        addPool(capsule);
        for (String queue : capsule.queues().keySet()) {
            PoolSettings own = settings.runners().queues().getOrDefault(queue, PoolSettings.NONE);
            Double seconds = own.limits().timeSeconds();
            if (seconds != null) {
                String place = own.origins().place("time_limit", Setting.DEFAULT);
                number("time_limit of " + queue, seconds, "s", place);
            }
        }
    }

    private void addPool(CapsulePlan capsule) {
        PoolSettings pool = capsule.settings();
        Origins origins = pool.origins();
        String runner = origins.place("runner", Setting.DEFAULT);
        boolean isChosen = runner.equals(Setting.DEFAULT);
        explained(
                "runner",
                capsule.kind().word(),
                runner,
                isChosen ? surroundings.runnerReason() : "");
        String jobs = origins.place("concurrency", Setting.DEFAULT);
        explained("concurrency", capsule.slots(), jobs, concurrencyReason(capsule, jobs));
        if (capsule.kind().hasProcesses()) {
            String place = origins.place("processes", Setting.DEFAULT);
            boolean isOwn = place.equals(Setting.DEFAULT);
            String reason = isOwn ? "one per core, at most one per job at once" : "";
            explained("processes", capsule.processes(), place, reason);
        }
        if (!capsule.kind().isInChildren()) {
            String threads = capsule.isVirtual() ? "virtual" : "platform";
            add("threads", threads, origins.place("threads", Setting.DEFAULT));
        }
        PoolSettings.Limits limits = pool.limits();
        limit("time_limit", limits.timeSeconds(), "s", origins);
        if (capsule.kind().hasProcesses()) {
            limit("memory_limit", limits.memoryMegabytes(), "MB", origins);
            limit("recycle_jobs", limits.recycleJobs(), "jobs", origins);
            limit("recycle_hours", limits.recycleHours(), "h", origins);
        }
    }

    private String concurrencyReason(CapsulePlan capsule, String place) {
        int processes = capsule.processes();
        boolean isShared = capsule.kind().hasProcesses() && capsule.settings().processes() != null;
        if (isShared && capsule.slots() % processes == 0) {
            return capsule.slots() / processes + " in each of " + processes + " processes";
        }
        boolean isGuess = place.equals(Setting.DEFAULT) && plan.api().isEmpty();
        return isGuess ? "with the gem sidekiq from version 7 on 5: see --load" : "";
    }

    private void limit(String name, @Nullable Number value, String unit, Origins origins) {
        number(name, value, unit, origins.place(name, Setting.DEFAULT));
    }

    private void addResque() {
        ResqueSettings resque = settings.resque();
        if (resque == null) {
            return;
        }
        part = "resque";
        Origins origins = resque.origins();
        add("queues", resque.queues().toString(), origins.place("queues", Setting.DEFAULT));
        add("namespace", resque.keys().namespace(), origins.place("namespace", Setting.DEFAULT));
        addPool(resque.plan());
        resque.limits()
                .byQueue()
                .forEach((queue, limit) ->
                        number(
                                "time_limit of " + queue,
                                limit.toMillis() / 1e3,
                                "s",
                                origins.place("time_limits", Setting.DEFAULT)));
    }

    private void addRestart() {
        part = "restart";
        RestartChoice restart = settings.runners().restart();
        Duration old = restart.oldLimit();
        Double oldSeconds = old == null ? null : old.toMillis() / 1e3;
        limit("boot_limit", restart.bootLimit().toMillis() / 1e3, "s", restart.origins());
        limit("old_limit", oldSeconds, "s", restart.origins());
        limit("memory", restart.memoryMib(), "MB", restart.origins());
    }

    private void flag(String name, String flag, @Nullable Object value, String unit) {
        boolean isGiven = surroundings.isGiven().test(flag);
        rows.add(new Setting(part, name, value, unit, isGiven ? flag : Setting.DEFAULT, ""));
    }

    private void add(String name, @Nullable Object value, String from) {
        rows.add(new Setting(part, name, value, "", from, ""));
    }

    private void number(String name, @Nullable Number value, String unit, String from) {
        rows.add(new Setting(part, name, value, unit, from, ""));
    }

    private void explained(String name, Object value, String from, String reason) {
        rows.add(new Setting(part, name, value, "", from, reason));
    }
}
