package dev.mawashi.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.text.Normalizer;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Looks for a text in payloads and records, however it is written there: with escapes of JSON, in
/// JSON that stands as a text inside JSON, composed or decomposed, in the Base64 of a failure's
/// record. It does not look at what only says which job it is: class, queue, jid.
///
/// What is encrypted or compressed it does not find.
public final class TextSearch implements Predicate<byte[]> {
    /// So often JSON may stand as a text inside JSON.
    private static final int DEPTH_MAX = 4;

    private static final List<String> NAMES = List.of("class", "wrapped", "queue", "jid");
    private static final String NOTHING = "0";

    private final Set<String> forms = new LinkedHashSet<>();

    /// @param text not empty
    public TextSearch(String text) {
        if (text.isEmpty()) {
            throw new IllegalArgumentException("no text to look for");
        }
        forms.add(text);
        forms.add(Normalizer.normalize(text, Normalizer.Form.NFC));
        forms.add(Normalizer.normalize(text, Normalizer.Form.NFD));
    }

    /// Whether it stands in these bytes.
    @Override
    public boolean test(byte[] bytes) {
        Payload job = Payload.tryParse(bytes);
        return job == null
                ? isIn(bytes)
                : isIn(withoutNames(job)) || isInBase64(job.text("payload_base64"));
    }

    private static byte[] withoutNames(Payload job) {
        Map<String, String> without = new LinkedHashMap<>();
        for (String name : NAMES) {
            if (job.raw(name) != null) {
                without.put(name, NOTHING);
            }
        }
        return job.with(without);
    }

    private boolean isInBase64(@Nullable String base64) {
        try {
            return base64 != null && isIn(Base64.getDecoder().decode(base64));
        } catch (IllegalArgumentException _) {
            return false;
        }
    }

    private boolean isIn(byte[] bytes) {
        for (String form : forms) {
            byte[] wanted = form.getBytes(UTF_8);
            if (ByteSearch.isIn(bytes, 0, bytes.length, wanted)) {
                return true;
            }
        }
        if (!ByteSearch.isIn(bytes, 0, bytes.length, new byte[] {'\\'})) {
            return false;
        }
        String text = new String(bytes, UTF_8);
        for (int depth = 0; depth < DEPTH_MAX && text.indexOf('\\') >= 0; depth++) {
            text = Json.unescape(text);
            if (forms.stream().anyMatch(text::contains)) {
                return true;
            }
        }
        return false;
    }

    /// The forms in which it is looked for.
    List<String> forms() {
        return new ArrayList<>(forms);
    }
}
