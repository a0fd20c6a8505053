package dev.mawashi.presence;

import dev.mawashi.broker.Lease;
import dev.mawashi.wire.JsonFields;
import dev.mawashi.wire.Payload;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The running payloads as a beat writes them: small ones unchanged, large ones with the fields of
/// Sidekiq's page, without arguments. Each beat would copy a large one otherwise, and each reader
/// of the page would read it.
///
/// What was said of a large one is kept for as long as it runs. One thread's.
final class ShownPayloads {
    /// Of all payloads of a beat together; each gets its share.
    static final int BYTES_MAX = 256 << 10;

    /// As much as any payload may have, however many run.
    private static final int SHARE_MIN = 512;

    private static final int NAME_MAX = 128;
    private static final List<String> TIMES = List.of("created_at", "enqueued_at");

    private Map<Long, byte[]> brief = Map.of();

    /// @param running all jobs that run now
    /// @return what is said of each, in their order
    List<byte[]> of(List<Lease> running) {
        int share = Math.max(SHARE_MIN, BYTES_MAX / Math.max(1, running.size()));
        Map<Long, byte[]> now = new HashMap<>();
        List<byte[]> shown =
                running.stream()
                        .map(lease ->
                                lease.payload().length <= share
                                        ? lease.payload()
                                        : brief(lease, now))
                        .toList();
        brief = now;
        return shown;
    }

    private byte[] brief(Lease lease, Map<Long, byte[]> now) {
        byte[] known = brief.get(lease.token());
        byte[] text = known == null ? brief(lease.payload()) : known;
        now.put(lease.token(), text);
        return text;
    }

    private static byte[] brief(byte[] bytes) {
        JsonFields fields = new JsonFields();
        Payload payload = Payload.tryParse(bytes);
        if (payload == null) {
            fields.text("class", "");
        } else {
            fields.text("class", name(payload.jobClass())).text("jid", name(payload.text("jid")));
            for (String field : TIMES) {
                String time = payload.raw(field);
                if (time != null && time.length() <= NAME_MAX) {
                    fields.json(field, time);
                }
            }
        }
        fields.texts("args", List.of(bytes.length + " bytes, which are not shown"));
        return fields.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static String name(@Nullable String full) {
        return full == null || full.length() <= NAME_MAX
                ? String.valueOf(full)
                : full.substring(0, NAME_MAX);
    }
}
