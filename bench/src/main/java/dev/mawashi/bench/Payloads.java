package dev.mawashi.bench;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/// The payloads of a benchmark: what Sidekiq 6.4's client writes for `NoopJob.perform_async(n)`,
/// some 150 bytes, each with its own jid. The n-th is the same bytes in every run and for
/// everybody.
final class Payloads {
    private static final String HEAD =
            "{\"retry\":true,\"queue\":\""
                    + BenchRedis.QUEUE
                    + "\",\"class\":\"NoopJob\",\"args\":[";
    private static final String JID = "],\"jid\":\"b4c0ffee";
    private static final String TIMES =
            "\",\"created_at\":1763696400.1234567,\"enqueued_at\":1763696400.1235123}";
    private static final int JID_DIGITS = 16;

    private Payloads() {}

    /// Of a job that tells how late it began.
    ///
    /// @param dueMillis when it is due, since 1970; also what makes its jid its own
    static byte[] probe(long dueMillis) {
        String jid = String.format(Locale.ROOT, "%0" + JID_DIGITS + "x", dueMillis);
        return (HEAD.replace("NoopJob", "ProbeJob") + dueMillis + JID + jid + TIMES)
                .getBytes(StandardCharsets.US_ASCII);
    }

    static byte[] payload(int number) {
        String digits = Integer.toString(number, 16).toLowerCase(Locale.ROOT);
        String jid = "0".repeat(JID_DIGITS - digits.length()) + digits;
        return (HEAD + number + JID + jid + TIMES).getBytes(StandardCharsets.US_ASCII);
    }
}
