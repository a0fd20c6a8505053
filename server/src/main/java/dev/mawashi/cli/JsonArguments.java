package dev.mawashi.cli;

import dev.mawashi.wire.Json;
import dev.mawashi.wire.JsonScanner;
import dev.mawashi.wire.MalformedPayload;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// Command line words that are JSON values.
final class JsonArguments {
    private JsonArguments() {}

    /// Joins them to a JSON array, each as it was typed.
    ///
    /// @throws WrongUse when one is not JSON
    static String array(List<String> words) {
        for (int i = 0; i < words.size(); i++) {
            require(words.get(i), i + 1);
        }
        return "[" + String.join(",", words) + "]";
    }

    private static void require(String word, int number) {
        try {
            int _ = JsonScanner.requireOne(word.getBytes(StandardCharsets.UTF_8));
        } catch (MalformedPayload malformed) {
            throw new WrongUse(
                    "argument "
                            + number
                            + " is not JSON: "
                            + malformed.reason()
                            + " (for text write '"
                            + Json.quote(word)
                            + "')");
        }
    }
}
