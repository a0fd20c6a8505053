package dev.mawashi.broker;

import java.util.List;

/// Settles claimed jobs.
public interface Settling extends Session {

    /// Settles all of them in one round trip. Idempotent: a job that is no longer its owner's is
    /// left alone, and counted as late if it had ended, so after any failure the same list may be
    /// sent again.
    SettleReport settle(List<Settled> settled);
}
