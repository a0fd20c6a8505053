package dev.mawashi.doctor;

import dev.mawashi.wire.JsonFields;
import java.nio.file.Path;
import java.util.List;

/// The result of looking at an app's code and gems.
///
/// @param files how many Ruby files were read
/// @param classes its job classes by name
/// @param gems those that a server loads, by name
/// @param elsewhere findings in files without job classes, and mere notices
/// @param troubles a line for each file or part that could not be read
public record Examination(
        Path app,
        int files,
        List<ClassVerdict> classes,
        List<GemVerdict> gems,
        List<Finding> elsewhere,
        List<String> troubles) {
    public Examination {
        classes = List.copyOf(classes);
        gems = List.copyOf(gems);
        elsewhere = List.copyOf(elsewhere);
        troubles = List.copyOf(troubles);
    }

    /// Whether the app cannot be as it is: a server would not start with one of its gems, or a file
    /// does not parse.
    public boolean mustChange() {
        return gems.stream().anyMatch(GemVerdict::isRefused)
                || elsewhere.stream().anyMatch(one -> one.rule() == Rule.SYNTAX);
    }

    /// The runner where no class asks for another.
    public BestRunner otherwise() {
        return new Advice(this).otherwise();
    }

    /// A `config/mawashi.yml` with the runners.
    public String config() {
        return new Advice(this).yaml();
    }

    /// Adds its fields to an object.
    public JsonFields json() {
        return new JsonFields()
                .text("app", app.toString())
                .array("classes", classes.stream().map(ClassVerdict::json).toList())
                .array("gems", gems.stream().map(GemVerdict::json).toList())
                .array("findings", elsewhere.stream().map(Finding::json).toList())
                .texts("troubles", troubles)
                .number("files", files)
                .text("config", config());
    }
}
