package dev.mawashi.java;

/// Says why a job cannot be run at all: its class or its arguments are not what they must be. The
/// message names the class and the remedy, so it has no stack trace.
final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String errorClass;

    private Refusal(Class<? extends Exception> errorClass, String message) {
        super(message, null, false, false);
        this.errorClass = errorClass.getName();
    }

    static Refusal noClass(String message) {
        return new Refusal(ClassNotFoundException.class, message);
    }

    /// The class is there but is no job class.
    static Refusal unfit(String message) {
        return new Refusal(NoSuchMethodException.class, message);
    }

    static Refusal arguments(String message) {
        return new Refusal(IllegalArgumentException.class, message);
    }

    /// The error class that the job's failure bears.
    String errorClass() {
        return errorClass;
    }
}
