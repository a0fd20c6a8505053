package dev.mawashi.java;

/// Says that a JSON value is not of the type that a parameter has. It learns on its way up where in
/// the arguments that value stands.
final class Mismatch extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String complaint;
    private String place = "";

    /// @param complaint such as `is null, must be an int`
    Mismatch(String complaint) {
        super(complaint, null, false, false);
        this.complaint = complaint;
    }

    /// @param outer such as `element 3`
    Mismatch within(String outer) {
        place = place.isEmpty() ? outer : outer + ", " + place;
        return this;
    }

    /// Such as `argument 1, element 3 is null, must be an int`.
    @Override
    public String getMessage() {
        return place + " " + complaint;
    }
}
