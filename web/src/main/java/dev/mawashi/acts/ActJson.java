package dev.mawashi.acts;

import dev.mawashi.operate.AuditEntry;
import java.util.Locale;

/// Changes as programs read them.
public final class ActJson {
    private ActJson() {}

    /// An act that goes on: its record, with what it came to so far and how far it is.
    public static String underWay(RunningAct running) {
        AuditEntry begun = running.begun();
        String json = begun.json();
        return json.substring(0, json.length() - 1)
                + String.format(
                        Locale.ROOT,
                        ",\"so_far\":%d,\"looked\":%d,\"total\":%d}",
                        running.sum().touched(),
                        running.looked(),
                        running.total());
    }
}
