package dev.mawashi.enqueue;

/// A request from which nothing is enqueued, because of what it asks for.
final class EnqueueRefusal extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int status;

    /// @param why for whoever asked, with the remedy
    EnqueueRefusal(int status, String why) {
        super(why);
        this.status = status;
    }

    static EnqueueRefusal wrong(String why) {
        return new EnqueueRefusal(400, why);
    }

    int status() {
        return status;
    }

    String why() {
        return String.valueOf(getMessage());
    }
}
