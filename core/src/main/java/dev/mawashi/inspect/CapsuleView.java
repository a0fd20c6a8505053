package dev.mawashi.inspect;

/// A pool of slots of a process of ours, as of its last beat.
///
/// @param runner such as `jruby`
/// @param slots jobs that it may run at once
/// @param busy jobs that it runs
public record CapsuleView(String name, String runner, long slots, long busy) {
    static CapsuleView of(Fields fields) {
        return new CapsuleView(
                fields.text("name"),
                fields.text("runner"),
                fields.number("slots"),
                fields.number("busy"));
    }
}
