package dev.mawashi.children;

import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The folder of a Ruby process and its environment, in place of ours. Each generation keeps its
/// own, also where its parent has to be started again.
///
/// @param folder null for that of this process
public record Home(@Nullable Path folder, Map<String, String> environment) {
    public Home {
        environment = Map.copyOf(environment);
    }
}
