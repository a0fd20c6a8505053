package dev.mawashi.acceptance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Gems with all that they need, for a server on JRuby: Debian puts some where only MRI looks.
final class JrubyGems {
    private static final String PRINT = "puts $LOADED_FEATURES.grep(%r{/vendor_ruby/(?!rubygems)})";

    private JrubyGems() {}

    /// @param folder for copies
    /// @param names as in `require`
    /// @return the environment that the server needs
    static Map<String, String> of(Workplace place, Path folder, List<String> names)
            throws IOException {
        Path copies = folder.resolve("copies");
        List<String> words = new ArrayList<>();
        names.forEach(name -> words.add("-r" + name));
        words.addAll(List.of("-e", PRINT));
        for (String line : place.ruby("files", words.toArray(String[]::new))) {
            Path copy = copies.resolve(line.replaceAll(".*/vendor_ruby/", ""));
            if (line.endsWith(".rb")) {
                Files.createDirectories(copy.getParent());
                Files.copy(Path.of(line), copy);
            }
        }
        String jrubyGems = Path.of("../ruby/target/jruby-gems").toAbsolutePath().toString();
        String path = jrubyGems + ":" + Workplace.DEBIAN_GEMS.get("GEM_PATH");
        return Map.of("GEM_PATH", path, "RUBYLIB", copies.toString());
    }
}
