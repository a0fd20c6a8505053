package dev.mawashi.dispatch;

/// State that the jobs of one capsule in a child share with the jobs of other capsules there.
interface Neighbours {

    /// Has the child take no jobs for as long as anybody wants it to.
    ///
    /// @param by who wants that
    void rest(Object by);

    /// @param by who wants it no more
    void goOn(Object by);

    /// The child may begin what it has until then, by the clock of `System.nanoTime`: of several
    /// times the latest holds.
    void leaseUntil(long until);

    long leasedUntil();

    /// One of the capsules has no jobs in the child any more, and gives it none. When that is so of
    /// all, it ends.
    void isDrained();
}
