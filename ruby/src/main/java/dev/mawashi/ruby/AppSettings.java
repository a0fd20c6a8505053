package dev.mawashi.ruby;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import org.jruby.RubyArray;
import org.jruby.runtime.builtin.IRubyObject;
import org.jspecify.annotations.Nullable;

/// The settings once the app is loaded, from flags, config file and the app's code.
///
/// @param timeoutSeconds how long running jobs may go on after TERM
/// @param tag what Sidekiq's page shows beside the process; null when nobody has set one
/// @param maxRetries Sidekiq's `max_retries`
/// @param deadMaxJobs Sidekiq's `dead_max_jobs`
/// @param deadSeconds Sidekiq's `dead_timeout_in_seconds`
/// @param origins where they came from
/// @param periodic the schedules that its code declares, as `periodic/entry.rb` has each: a JSON
///   array
public record AppSettings(
        double timeoutSeconds,
        @Nullable String tag,
        List<String> labels,
        int maxRetries,
        int deadMaxJobs,
        long deadSeconds,
        List<Pool> capsules,
        List<Origin> origins,
        String periodic) {
    /// Of an app that declares none.
    public static final String NO_PERIODIC = "[]";

    /// The origin of a setting that nobody has set.
    public static final String DEFAULT = "default";

    /// A capsule as the app wants it; nothing is checked yet.
    ///
    /// @param queues names with their weights
    public record Pool(String name, int concurrency, SequencedMap<String, Integer> queues) {}

    /// The place that a setting came from.
    ///
    /// @param key such as `timeout` or `capsules.default.queues`; `environment` and `config_file`
    ///   for what was found before the settings; `others.cron` for a key of the config file that
    ///   only the app reads
    /// @param value "" for those that are among the settings
    /// @param place a flag, a variable, a file, `the app`, or `DEFAULT`
    public record Origin(String key, String value, String place) {}

    /// Whether the capsules are those of another, with queues in another order or with other
    /// weights at most.
    public boolean hasCapsulesOf(AppSettings other) {
        return sizes().equals(other.sizes());
    }

    private List<List<Object>> sizes() {
        return capsules.stream()
                .map(pool ->
                        List.<Object>of(pool.name(), pool.concurrency(), pool.queues().keySet()))
                .toList();
    }

    /// The same with these capsules and schedules.
    public AppSettings with(List<Pool> pools, String schedules) {
        return new AppSettings(
                timeoutSeconds,
                tag,
                labels,
                maxRetries,
                deadMaxJobs,
                deadSeconds,
                pools,
                origins,
                schedules);
    }

    /// Where the setting came from; `DEFAULT` when nobody has set it.
    public String place(String key) {
        return origins.stream()
                .filter(origin -> origin.key().equals(key))
                .map(Origin::place)
                .findFirst()
                .orElse(DEFAULT);
    }

    /// Reads what `Mawashi::SidekiqGem#server_settings` returns.
    static AppSettings of(IRubyObject array) {
        RubyArray<?> values = array.convertToArray();
        Object tag = values.get(1);
        List<Pool> pools = list(values.get(6)).stream().map(AppSettings::pool).toList();
        return new AppSettings(
                number(values.get(0)).doubleValue(),
                tag == null ? null : tag.toString(),
                list(values.get(2)).stream().map(String::valueOf).toList(),
                number(values.get(3)).intValue(),
                number(values.get(4)).intValue(),
                number(values.get(5)).longValue(),
                pools,
                list(values.get(7)).stream().map(AppSettings::origin).toList(),
                String.valueOf(values.get(8)));
    }

    private static Origin origin(Object values) {
        List<?> origin = list(values);
        return new Origin(
                String.valueOf(origin.get(0)),
                String.valueOf(origin.get(1)),
                String.valueOf(origin.get(2)));
    }

    private static Pool pool(Object values) {
        List<?> pool = list(values);
        SequencedMap<String, Integer> queues = new LinkedHashMap<>();
        for (Object queue : list(pool.get(2))) {
            queues.put(String.valueOf(list(queue).get(0)), number(list(queue).get(1)).intValue());
        }
        return new Pool(String.valueOf(pool.get(0)), number(pool.get(1)).intValue(), queues);
    }

    private static List<?> list(@Nullable Object value) {
        if (value instanceof List<?> list) {
            return list;
        }
        throw new IllegalStateException("no list: " + value);
    }

    private static Number number(@Nullable Object value) {
        if (value instanceof Number number) {
            return number;
        }
        throw new IllegalStateException("no number: " + value);
    }
}
