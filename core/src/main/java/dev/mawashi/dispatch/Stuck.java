package dev.mawashi.dispatch;

/// Threads of a capsule that are held by jobs which would not end.
///
/// @param threads how many
/// @param replaced how many of them have another in their place, so that as many jobs as ever run
public record Stuck(int threads, int replaced) {
    static final Stuck NONE = new Stuck(0, 0);

    /// Jobs fewer than there should be that can run at once.
    int unreplaced() {
        return threads - replaced;
    }

    /// True when fewer jobs run at once than should.
    public boolean isShort() {
        return unreplaced() > 0;
    }
}
