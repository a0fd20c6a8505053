package dev.mawashi.migrate;

/// What `MigrationCuts` has moved.
interface CutLoad {
    /// Puts it into both Redises, which are empty.
    void fill(MigrationRig rig);

    /// Asserts that all is in the other Redis as it is to be.
    void check(MigrationRig rig, String when);
}
