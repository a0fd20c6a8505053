package dev.mawashi.broker;

/// Jobs at rest. Each session has its own connection and belongs to one thread at a time; closing a
/// session loses no job. All of them throw `RedisFailure` when the server cannot be reached or
/// refuses, and can be used again afterwards.
public interface Broker {
    Enqueuing enqueuing();

    Claiming claiming();

    Parking parking();

    Watching watching();

    Settling settling();

    Scheduling scheduling();

    Leasing leasing();
}
