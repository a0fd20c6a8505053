package dev.mawashi.bench;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// A job server in one configuration, and how many jobs it gets.
///
/// @param name what the table calls it
/// @param description version and configuration, in a few words
/// @param command what starts one of its processes
/// @param environment variables of its processes, on top of the harness's own
/// @param processes how many are started, all at once
/// @param jobs how many jobs a run has
/// @param intake where it takes them from
record Contestant(
        String name,
        String description,
        List<String> command,
        Map<String, String> environment,
        int processes,
        int jobs,
        Intake intake) {
    Contestant {
        command = List.copyOf(command);
        environment = Map.copyOf(environment);
    }

    /// The same with these variables more in its processes' environment.
    Contestant with(Map<String, String> variables) {
        Map<String, String> all = new HashMap<>(environment);
        all.putAll(variables);
        return new Contestant(name, description, command, all, processes, jobs, intake);
    }

    /// The same, started with other words.
    Contestant withCommand(List<String> words) {
        return new Contestant(name, description, words, environment, processes, jobs, intake);
    }

    /// The same, that takes its jobs from these queues, in this order.
    ///
    /// @param queues the first is the one that it has already
    Contestant withQueues(List<String> queues) {
        List<String> words = new ArrayList<>(command);
        queues.stream().skip(1).forEach(queue -> words.addAll(List.of("-q", queue)));
        return withCommand(words);
    }

    /// The same as so many processes.
    Contestant times(int count) {
        return new Contestant(name, description, command, environment, count, jobs, intake);
    }

    /// The same with other jobs to do.
    Contestant doing(int count) {
        return new Contestant(name, description, command, environment, processes, count, intake);
    }

    /// The same with other words in its description.
    Contestant described(String other) {
        return new Contestant(name, other, command, environment, processes, jobs, intake);
    }

    /// The same under another name.
    Contestant named(String other) {
        return new Contestant(other, description, command, environment, processes, jobs, intake);
    }
}
