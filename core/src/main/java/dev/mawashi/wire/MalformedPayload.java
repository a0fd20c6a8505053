package dev.mawashi.wire;

/// Thrown when bytes are not the JSON that a job's payload must be. The message is one sentence for
/// the operator and names the byte offset where there is one.
public final class MalformedPayload extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String reason;

    public MalformedPayload(String message) {
        // No stack trace: it is an answer about data, thrown per bad payload.
        super(message, null, false, false);
        this.reason = message;
    }

    public String reason() {
        return reason;
    }
}
