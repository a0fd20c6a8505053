package dev.mawashi.children;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// How to start the Ruby process that loads the app and forks children.
///
/// @param command the Ruby to use and its options, such as `[ruby]`
/// @param program the file `mawashi/children/main.rb`
/// @param environment of the process, in place of ours
/// @param flags what the app's boot is told: pairs of names and values
public record ParentSettings(
        List<String> command,
        Path program,
        Map<String, String> environment,
        List<Map.Entry<String, String>> flags) {
    public ParentSettings {
        command = List.copyOf(command);
        environment = Map.copyOf(environment);
        flags = List.copyOf(flags);
    }
}
