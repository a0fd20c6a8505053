package dev.mawashi.web;

import dev.mawashi.scrape.ProcessFigures;
import java.util.Optional;

/// The answering process's own state, on any thread and at once, with or without Redis.
public interface Vitals {
    /// Why it should be started anew; "" while all goes round.
    String stalled();

    /// Why it cannot do its work now; "" when it can.
    String unready();

    /// Empty where it runs no jobs.
    Optional<ProcessFigures> figures();
}
