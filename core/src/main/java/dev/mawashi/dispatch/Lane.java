package dev.mawashi.dispatch;

import dev.mawashi.children.Child;

/// A capsule as the children see it that run its jobs, perhaps beside those of others.
interface Lane {

    /// @param place of a child that will be forked
    /// @return takes what that child reports of this capsule's jobs
    ChildJobs jobs(int place, Neighbours beside);

    /// A child takes jobs from now on.
    ///
    /// @param jobs what was given for it
    void ready(Child child, ChildJobs jobs);
}
