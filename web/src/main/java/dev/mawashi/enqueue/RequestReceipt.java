package dev.mawashi.enqueue;

import dev.mawashi.broker.AtomicEnqueuing;
import dev.mawashi.http.Call;
import dev.mawashi.wire.Keys;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The receipt by which a request is known when it comes again (docs/formats/mawashi.md): the
/// digest of its body and the ids of its jobs, under the digest of its idempotency key.
///
/// @param key in Redis
/// @param body digest of the request's body
record RequestReceipt(String key, String body) {
    /// How long a key is honoured.
    private static final Duration KEPT = Duration.ofDays(1);

    /// No space: several headers come with one between them.
    private static final Pattern KEY = Pattern.compile("[!-~]{1,200}");

    /// @return null where the request has no key: each such request is another
    /// @throws EnqueueRefusal when the key is none
    static @Nullable RequestReceipt of(Call call) {
        String key = call.idempotencyKey();
        if (key == null) {
            return null;
        }
        if (!KEY.matcher(key).matches()) {
            throw EnqueueRefusal.wrong(
                    "Idempotency-Key is one word of 1 to 200 visible ASCII characters, such as a"
                            + " UUID");
        }
        return new RequestReceipt(
                Keys.idempotency(digest(key.getBytes(StandardCharsets.US_ASCII))),
                digest(call.body()));
    }

    private static String digest(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /// What Redis keeps with the jobs.
    AtomicEnqueuing.Receipt with(List<String> jids) {
        return new AtomicEnqueuing.Receipt(key, body + " " + String.join(" ", jids), KEPT);
    }

    /// The ids of the jobs that an earlier request with this key has enqueued.
    ///
    /// @param text of its receipt
    /// @throws EnqueueRefusal when it asked for other jobs
    List<String> jids(String text) {
        List<String> words = List.of(text.split(" ", -1));
        if (!words.getFirst().equals(body)) {
            throw new EnqueueRefusal(
                    409,
                    "another body came with this Idempotency-Key within a day, and its jobs are"
                            + " enqueued: send this one with a key of its own");
        }
        return words.subList(1, words.size());
    }
}
