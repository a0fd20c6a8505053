package dev.mawashi.cron;

/// A run by hand that did not come about, with the reason in one line.
public final class CronRefusal extends RuntimeException {
    private static final long serialVersionUID = 1L;

    CronRefusal(String message) {
        super(message);
    }
}
