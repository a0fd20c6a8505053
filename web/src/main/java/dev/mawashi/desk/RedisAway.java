package dev.mawashi.desk;

import dev.mawashi.redis.RedisFailure;

/// Redis does not give what a page should show or an act needs: it does not answer, or refuses.
public final class RedisAway extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /// As a gateway answers whose upstream answers with an error, see
    /// https://www.rfc-editor.org/rfc/rfc9110#section-15.6.3
    private static final int BAD_GATEWAY = 502;

    private static final int UNAVAILABLE = 503;

    private final boolean isRefusal;

    /// @param reason for the operator
    RedisAway(String reason) {
        this(reason, false);
    }

    private RedisAway(String reason, boolean isRefusal) {
        super(reason);
        this.isRefusal = isRefusal;
    }

    public static RedisAway of(RedisFailure failure) {
        return new RedisAway(failure.explanation(), failure.kind() == RedisFailure.Kind.REFUSED);
    }

    /// Whether it answered, with an error.
    public boolean isRefusal() {
        return isRefusal;
    }

    /// The status of an HTTP answer.
    public int status() {
        return isRefusal ? BAD_GATEWAY : UNAVAILABLE;
    }

    /// In three words.
    public String title() {
        return isRefusal ? "Redis refuses this" : "Redis is not answering";
    }

    /// For the operator.
    public String reason() {
        return "" + getMessage();
    }

    /// Both in one.
    public String sentence() {
        return title() + ": " + reason();
    }
}
