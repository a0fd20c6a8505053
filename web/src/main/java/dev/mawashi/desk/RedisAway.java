package dev.mawashi.desk;

/// Redis does not answer what a page should show.
public final class RedisAway extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /// @param reason for the operator
    RedisAway(String reason) {
        super(reason);
    }
}
