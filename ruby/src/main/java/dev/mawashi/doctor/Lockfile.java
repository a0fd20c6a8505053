package dev.mawashi.doctor;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The contents of a `Gemfile.lock`.
///
/// @param gems by name
/// @param wanted names that the Gemfile itself asks for
/// @param platforms such as `ruby`, `java` and `x86_64-linux`
/// @param troubles a line for each part that cannot be understood
record Lockfile(
        Map<String, LockedGem> gems,
        Set<String> wanted,
        Set<String> platforms,
        List<String> troubles) {
    private static final long BYTES_MAX = 4 << 20;
    private static final Pattern SPEC = Pattern.compile("    ([\\w.-]+) \\(([^)]*)\\)");
    private static final Pattern NEEDED = Pattern.compile("      ([\\w.-]+)(?: \\(.*\\))?");
    private static final Pattern WANTED = Pattern.compile("  ([\\w.-]+)(?: \\(.*\\))?!?");

    /// A gem, with all its platforms.
    ///
    /// @param origin `GEM`, `GIT` or `PATH`
    /// @param platforms `ruby` where its version names none
    /// @param needs names of gems
    record LockedGem(
            String name, String version, String origin, Set<String> platforms, Set<String> needs) {}

    /// Gems whose versions and needs are not known.
    static Lockfile ofNames(Set<String> names) {
        Map<String, LockedGem> gems = new TreeMap<>();
        names.forEach(
                name -> gems.put(name, new LockedGem(name, "", "GEM", Set.of("ruby"), Set.of())));
        return new Lockfile(gems, names, Set.of(), List.of());
    }

    /// @return no gem and a trouble where it cannot be read
    static Lockfile read(Path file) {
        try {
            long bytes = Files.size(file);
            if (bytes > BYTES_MAX) {
                return none(
                        String.format(
                                Locale.ROOT,
                                "%s is %,d bytes, at most %,d: it is not read",
                                file,
                                bytes,
                                BYTES_MAX));
            }
            return parse(new String(Files.readAllBytes(file), UTF_8), file.toString());
        } catch (IOException e) {
            return none("cannot read " + file + ": " + SourceTree.reason(e));
        }
    }

    private static Lockfile none(String trouble) {
        return new Lockfile(Map.of(), Set.of(), Set.of(), List.of(trouble));
    }

    static Lockfile parse(String text, String name) {
        Map<String, LockedGem> gems = new TreeMap<>();
        Set<String> wanted = new TreeSet<>();
        Set<String> platforms = new TreeSet<>();
        List<String> troubles = new ArrayList<>();
        String section = "";
        LockedGem last = null;
        int number = 0;
        for (String line : text.split("\\R", -1)) {
            number++;
            if (line.startsWith("<<<<<<<")) {
                troubles.add(name + ":" + number + " has a conflict of a merge: resolve it");
            }
            Matcher spec = SPEC.matcher(line);
            Matcher needed = NEEDED.matcher(line);
            Matcher one = WANTED.matcher(line);
            if (!line.isEmpty() && line.charAt(0) != ' ') {
                section = line.strip();
            } else if (spec.matches()) {
                last = add(gems, spec.group(1), spec.group(2), section);
            } else if (last != null && needed.matches()) {
                last.needs().add(needed.group(1));
            } else if (section.equals("DEPENDENCIES") && one.matches()) {
                wanted.add(one.group(1));
            } else if (section.equals("PLATFORMS") && !line.isBlank()) {
                platforms.add(line.strip());
            }
        }
        if (gems.isEmpty()) {
            troubles.add(name + " names no gem: is it a Gemfile.lock?");
        }
        return new Lockfile(gems, wanted, platforms, troubles);
    }

    /// @param version with the platform behind a hyphen, if it has one
    private static LockedGem add(
            Map<String, LockedGem> gems, String name, String version, String section) {
        int hyphen = version.indexOf('-');
        String number = hyphen < 0 ? version : version.substring(0, hyphen);
        LockedGem gem =
                gems.computeIfAbsent(
                        name,
                        _ ->
                                new LockedGem(
                                        name, number, section, new TreeSet<>(), new TreeSet<>()));
        gem.platforms().add(hyphen < 0 ? "ruby" : version.substring(hyphen + 1));
        return gem;
    }

    /// The gems that are loaded in production: those that the Gemfile asks for and does not leave
    /// to other groups or platforms, and all that these need.
    Map<String, LockedGem> needed(Set<String> leftOut) {
        Map<String, LockedGem> needed = new LinkedHashMap<>();
        List<String> open = new ArrayList<>(wanted.isEmpty() ? gems.keySet() : wanted);
        open.removeAll(leftOut);
        while (!open.isEmpty()) {
            LockedGem gem = gems.get(open.removeLast());
            if (gem != null && needed.putIfAbsent(gem.name(), gem) == null) {
                open.addAll(gem.needs());
            }
        }
        return new TreeMap<>(needed);
    }
}
