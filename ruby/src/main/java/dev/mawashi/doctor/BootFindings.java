package dev.mawashi.doctor;

import dev.mawashi.wire.JsonFields;
import java.util.List;

/// The result of booting an app on JRuby.
///
/// @param isWhole whether a boot came to the app's end, with all faults left out
public record BootFindings(List<BootFault> faults, boolean isWhole) {
    public BootFindings {
        faults = List.copyOf(faults);
    }

    public boolean loads() {
        return isWhole && faults.isEmpty();
    }

    /// One line.
    public String summary() {
        if (loads()) {
            return "the app loads on JRuby";
        }
        return isWhole
                ? "the app loads on JRuby once these " + faults.size() + " are mended"
                : "the boot could not go on after the last one: mend it, and look again";
    }

    public String json() {
        return new JsonFields()
                .flag("loads", loads())
                .flag("whole", isWhole)
                .array("faults", faults.stream().map(BootFault::json).toList())
                .toString();
    }
}
