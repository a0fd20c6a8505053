/// Figures over queues, classes of jobs and time: totals, depths, run times and waits. Sidekiq's
/// metrics are written here and read.
@NullMarked
package dev.mawashi.figures;

import org.jspecify.annotations.NullMarked;
