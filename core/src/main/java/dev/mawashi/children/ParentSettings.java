package dev.mawashi.children;

import dev.mawashi.lifecycle.PrivateFolder;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// Settings of the Ruby process that loads the app and forks children.
///
/// @param command the Ruby to use and its options, such as `[ruby]`
/// @param program the file `mawashi/children/main.rb`, asked for at each start
/// @param home where a new generation is started, asked for once for each
/// @param flags for the app's boot: pairs of names and values
/// @param folder for sockets and what goes with them
public record ParentSettings(
        List<String> command,
        Supplier<Path> program,
        Supplier<Home> home,
        List<Map.Entry<String, String>> flags,
        PrivateFolder folder) {
    public ParentSettings {
        command = List.copyOf(command);
        flags = List.copyOf(flags);
    }

    /// The same, with all generations in this process's own folder.
    public ParentSettings(
            List<String> command,
            Supplier<Path> program,
            Map<String, String> environment,
            List<Map.Entry<String, String>> flags,
            PrivateFolder folder) {
        this(command, program, () -> new Home(null, environment), flags, folder);
    }

    /// The same with one more flag.
    ParentSettings with(Map.Entry<String, String> flag) {
        List<Map.Entry<String, String>> more =
                Stream.concat(flags.stream(), Stream.of(flag)).toList();
        return new ParentSettings(command, program, home, more, folder);
    }
}
