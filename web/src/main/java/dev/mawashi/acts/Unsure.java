package dev.mawashi.acts;

/// A question that comes before an act that cannot be undone.
final class Unsure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String note;

    /// @param note what becomes of it
    Unsure(String question, String note) {
        super(question);
        this.note = note;
    }

    String question() {
        return String.valueOf(getMessage());
    }

    String note() {
        return note;
    }
}
