/// Runs counted by class for Sidekiq's Metrics page. Slots count through `RunTally`, without locks;
/// `MetricsFlush` hands on to the broker what has come since the last time.
@NullMarked
package dev.mawashi.metrics;

import org.jspecify.annotations.NullMarked;
