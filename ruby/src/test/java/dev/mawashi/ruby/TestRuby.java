package dev.mawashi.ruby;

import dev.mawashi.client.IterationStates;
import dev.mawashi.client.JobSink;
import dev.mawashi.client.NewJob;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/// What the tests of this package share: settings for a runtime and a sink that keeps the jobs.
final class TestRuby {
    static final String JOBS = "src/test/ruby/apps/jobs.rb";
    private static final List<String> GEM_VARIABLES =
            List.of("GEM_HOME", "GEM_PATH", "BUNDLE_GEMFILE", "RUBYOPT", "REDIS_URL");

    /// For apps without iterable jobs.
    static final IterationStates NO_STATES =
            _ -> {
                throw new IllegalStateException("no Redis here");
            };

    private TestRuby() {}

    /// Keeps what is enqueued.
    static final class Kept implements JobSink {
        final List<NewJob> jobs = new CopyOnWriteArrayList<>();

        @Override
        public void enqueue(List<NewJob> added) {
            jobs.addAll(added);
        }
    }

    static RubyRuntime boot(String require) {
        return RubyRuntime.boot(settings(require, Map.of(), new Kept()));
    }

    static RubySettings settings(String require, Map<String, String> environment, JobSink sink) {
        return new RubySettings(
                new AppFlags(require, null, "test", null, 2, null, new LinkedHashMap<>()),
                environment(environment),
                null,
                sink,
                NO_STATES);
    }

    /// The machine's own without what would bring gems along, and these.
    static Map<String, String> environment(Map<String, String> own) {
        Map<String, String> variables = new HashMap<>(System.getenv());
        variables.keySet().removeAll(GEM_VARIABLES);
        variables.putAll(own);
        return variables;
    }
}
