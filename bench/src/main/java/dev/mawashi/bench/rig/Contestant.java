package dev.mawashi.bench.rig;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// A job server in one configuration, and how many jobs it gets.
///
/// @param name in the tables
/// @param description version and configuration, in a few words
/// @param command that starts one of its processes
/// @param environment variables of its processes, on top of the harness's own
/// @param processes how many are started, all at once
/// @param jobs how many jobs per run has
/// @param intake where it takes them from
public record Contestant(
        String name,
        String description,
        List<String> command,
        Map<String, String> environment,
        int processes,
        int jobs,
        JobSource intake) {
    public Contestant {
        command = List.copyOf(command);
        environment = Map.copyOf(environment);
    }

    /// The same with these variables more in its processes' environment.
    public Contestant with(Map<String, String> variables) {
        Map<String, String> all = new HashMap<>(environment);
        all.putAll(variables);
        return new Contestant(name, description, command, all, processes, jobs, intake);
    }

    /// The same with these queues, in this order.
    ///
    /// @param queues the first is the one that it has already
    public Contestant withQueues(List<String> queues) {
        List<String> words = new ArrayList<>(command);
        queues.stream().skip(1).forEach(queue -> words.addAll(List.of("-q", queue)));
        return new Contestant(name, description, words, environment, processes, jobs, intake);
    }

    /// The same as so many processes.
    public Contestant times(int count) {
        return new Contestant(name, description, command, environment, count, jobs, intake);
    }

    /// The same with other jobs to do.
    public Contestant doing(int count) {
        return new Contestant(name, description, command, environment, processes, count, intake);
    }

    /// The same under another name.
    public Contestant named(String other) {
        return new Contestant(other, description, command, environment, processes, jobs, intake);
    }

    /// The same, that logs two lines per job.
    public Contestant logging() {
        String other = description.replace("log level warn", "log level info");
        return new Contestant(name, other, command, environment, processes, jobs, intake)
                .with(Map.of("BENCH_LOG", "info"));
    }
}
