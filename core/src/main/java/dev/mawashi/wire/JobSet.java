package dev.mawashi.wire;

/// Sidekiq's sorted sets of jobs (docs/formats/sidekiq.md, "Keys").
public enum JobSet {
    /// Jobs enqueued for later; the score is when they are due.
    SCHEDULE(Keys.SCHEDULE),
    /// Failed jobs; the score is when they run next.
    RETRY(Keys.RETRY),
    /// Jobs that were given up; the score is when.
    DEAD(Keys.DEAD);

    private final String key;

    JobSet(String key) {
        this.key = key;
    }

    public String key() {
        return key;
    }
}
