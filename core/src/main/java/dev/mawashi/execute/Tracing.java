package dev.mawashi.execute;

import dev.mawashi.job.Outcome;

/// Reports runs to a tracer. Where nobody traces there is none, which costs a run one look. Safe
/// for any thread, and never throws.
public interface Tracing {

    /// A run begins on the calling thread, on which `Span.end` is called too: what the job does
    /// there belongs to it.
    ///
    /// @param payload not changed and not kept
    Span begin(String queue, byte[] payload);

    /// A run has ended just now in another process.
    ///
    /// @param nanos that it took; 0 when that is not known
    void ran(String queue, byte[] payload, long nanos, Outcome outcome);

    /// A run under way.
    interface Span {
        /// The run has ended; called once.
        void end(Outcome outcome);
    }
}
