package dev.mawashi.bench;

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
record Contestant(
        String name,
        String description,
        List<String> command,
        Map<String, String> environment,
        int processes,
        int jobs) {
    Contestant {
        command = List.copyOf(command);
        environment = Map.copyOf(environment);
    }

    /// The same with these variables in its processes' environment.
    Contestant with(Map<String, String> variables) {
        return new Contestant(name, description, command, variables, processes, jobs);
    }
}
