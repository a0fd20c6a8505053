package dev.mawashi.broker;

import java.time.Duration;
import java.util.random.RandomGenerator;

/// A server for a simulation.
interface World extends AutoCloseable {
    /// A new process's way to it.
    ///
    /// @param pause while the process compares what it holds with what the server has, as far as
    ///   others can do something meanwhile
    Broker process(Runnable pause);

    Places places();

    void save();

    /// To what was saved last, as a restart or a failover does.
    void goBack();

    /// Time passes by the server's clock, if that can be set.
    void pass(Duration time);

    /// From now on some commands fail, if that can be had: half of them before they have done
    /// anything.
    void breakSome(RandomGenerator random);

    /// Ends `breakSome`.
    void mend();

    @Override
    void close();
}
