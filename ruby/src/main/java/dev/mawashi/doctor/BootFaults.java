package dev.mawashi.doctor;

import dev.mawashi.doctor.BootFault.Kind;
import dev.mawashi.doctor.KnownGems.Known;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Makes faults of the words in which a boot reports them, with the remedies of the table of gems.
public final class BootFaults {
    /// The parts of a report.
    public static final int WORDS = 7;

    private static final String OR_MRI = ", or run with --runner mri";

    private final Map<String, List<Known>> known = KnownGems.read();
    private final String folder;

    /// @param app its folder, which places are relative to
    public BootFaults(Path app) {
        folder = app + "/";
    }

    /// @param words kind, what was required or loaded, line, what happened, remedy, gem, and `last`
    ///   or ""
    public BootFault of(List<String> words) {
        Kind kind = Kind.valueOf(words.get(0).toUpperCase(Locale.ROOT));
        return new BootFault(
                kind,
                relative(words.get(1)),
                relative(words.get(2)),
                words.get(3),
                remedy(kind, words));
    }

    private String relative(String path) {
        return path.startsWith(folder) ? path.substring(folder.length()) : path;
    }

    private String remedy(Kind kind, List<String> words) {
        String given = words.get(4);
        return switch (kind) {
            case MISSING, INCOMPLETE -> ofFile(kind, words.get(1), given, words.get(5));
            case REFUSED -> given;
            case RAISED ->
                    given.isEmpty()
                            ? "mend it, or see whether it raises with --runner mri too"
                            : given;
            case EXIT -> "let it load without ending the process" + OR_MRI;
            case HANG -> "let it load without waiting there" + OR_MRI;
        };
    }

    /// A boot cannot know of a gem that there is none for JRuby, the table can.
    private String ofFile(Kind kind, String feature, String given, String gem) {
        String base =
                feature.endsWith(".rb") ? feature.substring(0, feature.length() - 3) : feature;
        for (String name : List.of(gem, base, base.replace('/', '-'), base.split("/", 2)[0])) {
            List<Known> entries = known.getOrDefault(name, List.of());
            if (!entries.isEmpty()) {
                Known entry = entries.getFirst();
                boolean hasNone = entry.fit() == KnownGems.Fit.NO;
                return hasNone || given.isEmpty() ? ofGem(name, entry) : given;
            }
        }
        return given.isEmpty() ? otherwise(kind, feature, gem) : given;
    }

    private static String ofGem(String name, Known entry) {
        return switch (entry.fit()) {
            case NO -> name + " runs on MRI only; instead: " + entry.remedy() + OR_MRI;
            case JAVA ->
                    name
                            + " has a gem for JRuby: bundle lock --add-platform java, then mawashi"
                            + " jruby -S bundle install";
            case OWN, WORKS -> "have JRuby install " + name + ": mawashi jruby -S bundle install";
        };
    }

    private static String otherwise(Kind kind, String feature, String gem) {
        if (kind == Kind.INCOMPLETE) {
            return (gem.isEmpty() ? "it" : gem)
                    + " may have a part in C: look for its counterpart for JRuby"
                    + OR_MRI;
        }
        return feature.startsWith("/")
                ? "add the file"
                : "add the gem that has it to the Gemfile and have JRuby install it: mawashi jruby"
                        + " -S bundle install";
    }
}
