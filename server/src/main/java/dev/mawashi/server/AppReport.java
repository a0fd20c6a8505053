package dev.mawashi.server;

import dev.mawashi.ruby.AppRedis;
import dev.mawashi.ruby.AppSettings;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/// A Ruby parent process's report about the app that it has loaded, read in the order in which
/// `mawashi/children/report.rb` writes it.
final class AppReport {
    private final String sidekiqVersion;
    private final String rubyDescription;
    private final boolean countsRuns;
    private final AppSettings settings;
    private final AppRedis redis;

    AppReport(List<String> texts) {
        Iterator<String> next = texts.iterator();
        sidekiqVersion = next.next();
        rubyDescription = next.next();
        countsRuns = Boolean.parseBoolean(next.next());
        double timeout = Double.parseDouble(next.next());
        String tag = next.next();
        settings =
                new AppSettings(
                        timeout,
                        tag.isEmpty() ? null : tag,
                        labels(next),
                        (int) Double.parseDouble(next.next()),
                        (int) Double.parseDouble(next.next()),
                        (long) Double.parseDouble(next.next()),
                        pools(next),
                        origins(next),
                        next.next());
        List<String> rest = new ArrayList<>();
        next.forEachRemaining(rest::add);
        redis = AppRedis.of(rest);
    }

    private AppReport(AppReport before, AppSettings settings) {
        sidekiqVersion = before.sidekiqVersion;
        rubyDescription = before.rubyDescription;
        countsRuns = before.countsRuns;
        redis = before.redis;
        this.settings = settings;
    }

    private static List<String> labels(Iterator<String> next) {
        List<String> labels = new ArrayList<>();
        for (int left = Integer.parseInt(next.next()); left > 0; left--) {
            labels.add(next.next());
        }
        return labels;
    }

    private static List<AppSettings.Pool> pools(Iterator<String> next) {
        List<AppSettings.Pool> pools = new ArrayList<>();
        for (int left = Integer.parseInt(next.next()); left > 0; left--) {
            String name = next.next();
            int concurrency = Integer.parseInt(next.next());
            pools.add(new AppSettings.Pool(name, concurrency, queues(next)));
        }
        return pools;
    }

    private static List<AppSettings.Origin> origins(Iterator<String> next) {
        List<AppSettings.Origin> origins = new ArrayList<>();
        for (int left = Integer.parseInt(next.next()); left > 0; left--) {
            origins.add(new AppSettings.Origin(next.next(), next.next(), next.next()));
        }
        return origins;
    }

    private static SequencedMap<String, Integer> queues(Iterator<String> next) {
        SequencedMap<String, Integer> queues = new LinkedHashMap<>();
        for (int left = Integer.parseInt(next.next()); left > 0; left--) {
            queues.put(next.next(), Integer.parseInt(next.next()));
        }
        return queues;
    }

    String sidekiqVersion() {
        return sidekiqVersion;
    }

    String rubyDescription() {
        return rubyDescription;
    }

    boolean countsRuns() {
        return countsRuns;
    }

    AppSettings settings() {
        return settings;
    }

    AppRedis redis() {
        return redis;
    }

    /// The same with other settings.
    AppReport with(AppSettings present) {
        return new AppReport(this, present);
    }
}
