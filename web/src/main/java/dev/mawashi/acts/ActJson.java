package dev.mawashi.acts;

/// Changes as programs read them.
public final class ActJson {
    private ActJson() {}

    /// An act that goes on: its record, with what it came to so far and how far it is.
    public static String underWay(RunningAct running) {
        return running.begun()
                .fields()
                .number("so_far", running.sum().touched())
                .number("looked", running.looked())
                .number("total", running.total())
                .toString();
    }
}
