package dev.mawashi.web;

import dev.mawashi.scrape.ProcessFigures;

/// What a server says of itself, on any thread and at once, Redis there or not.
public interface Vitals {
    /// Why it should be started anew; "" while all goes round.
    String stalled();

    /// Why it cannot run jobs now; "" when it can.
    String unready();

    ProcessFigures figures();
}
