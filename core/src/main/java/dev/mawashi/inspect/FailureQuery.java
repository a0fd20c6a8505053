package dev.mawashi.inspect;

/// Which failures are meant; each part that is not empty must be met.
///
/// @param error what class or message of the error contain
/// @param text what the arguments, as JSON, contain
public record FailureQuery(String jobClass, String queue, String error, String text) {

    public boolean isAll() {
        return jobClass.isEmpty() && queue.isEmpty() && error.isEmpty() && text.isEmpty();
    }

    boolean matches(FailureView failure) {
        return (jobClass.isEmpty() || jobClass.equals(failure.jobClass()))
                && (queue.isEmpty() || queue.equals(failure.text("queue")))
                && (error.isEmpty() || failure.error().contains(error))
                && (text.isEmpty() || failure.hasText(text));
    }
}
