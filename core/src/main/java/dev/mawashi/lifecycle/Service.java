package dev.mawashi.lifecycle;

import java.time.Duration;

/// Something that runs from `start` to `stop`.
///
/// `start` returns when it is running. `stop` returns when it has stopped or `patience` is over, is
/// idempotent, and may come before `start` or while `start` fails.
public interface Service {
    void start();

    /// @param patience longest time to wait for work under way; zero means at once
    void stop(Duration patience);
}
