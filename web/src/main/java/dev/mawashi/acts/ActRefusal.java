package dev.mawashi.acts;

/// A request that is not done, because of what it asks for.
final class ActRefusal extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int status;

    /// @param why for whoever asked
    ActRefusal(int status, String why) {
        super(why);
        this.status = status;
    }

    static ActRefusal wrong(String why) {
        return new ActRefusal(400, why);
    }

    int status() {
        return status;
    }

    String why() {
        return String.valueOf(getMessage());
    }
}
