package dev.mawashi.doctor;

import dev.mawashi.doctor.BootFault.Kind;
import dev.mawashi.doctor.KnownGems.Known;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

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
        String given = words.get(4);
        String remedy = given.isEmpty() ? remedy(kind, words.get(1), words.get(5)) : given;
        return new BootFault(
                kind, relative(words.get(1)), relative(words.get(2)), words.get(3), remedy);
    }

    private String relative(String path) {
        return path.startsWith(folder) ? path.substring(folder.length()) : path;
    }

    private String remedy(Kind kind, String feature, String gem) {
        return switch (kind) {
            case MISSING, INCOMPLETE -> ofTable(kind, feature, gem);
            case REFUSED -> "";
            case RAISED -> "mend it, or see whether it raises with --runner mri too";
            case EXIT -> "let it load without ending the process" + OR_MRI;
            case HANG -> "let it load without waiting there" + OR_MRI;
        };
    }

    private String ofTable(Kind kind, String feature, String gem) {
        String base =
                feature.endsWith(".rb") ? feature.substring(0, feature.length() - 3) : feature;
        return Stream.of(gem, base, base.replace('/', '-'), base.split("/", 2)[0])
                .filter(known::containsKey)
                .findFirst()
                .map(name -> ofGem(name, known.get(name).getFirst()))
                .orElse(otherwise(kind, feature, gem));
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
