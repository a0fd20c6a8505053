package dev.mawashi.operate;

import dev.mawashi.inspect.JobQuery;
import dev.mawashi.inspect.JobReader;
import dev.mawashi.tables.Keeping;

/// Finds jobs in one place and does acts to them, a page at a time. One thread's.
public interface Operator {
    /// How many jobs are there.
    long size();

    /// How many of them match.
    long count(JobQuery query, JobReader.Sink progress);

    /// Does an act to all that match. One that fails half-way has been done to some and not to
    /// others; each job is in one place all the same, and the act can be repeated.
    ///
    /// @param keeping takes what undoing needs
    /// @throws IllegalArgumentException when it is no act for jobs of this place
    Report perform(Change change, JobQuery query, Keeping keeping, Progress progress);
}
