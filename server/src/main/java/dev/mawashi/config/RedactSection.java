package dev.mawashi.config;

import dev.mawashi.wire.RedactionRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The section `redact` of `config/mawashi.yml`: what is hidden of jobs where people look at them.
final class RedactSection {
    private static final int RULES_MAX = 100;

    /// Each page that shows a job reads them.
    private static final int LETTERS_MAX = 64 << 10;

    private RedactSection() {}

    /// A rule that hides nothing, or everything, or cannot be understood is noted as a mistake.
    ///
    /// @param top the whole file
    /// @return none where the file has no such section
    static List<RedactionRule> read(ConfigMap top) {
        List<RedactionRule> rules = new ArrayList<>();
        for (ConfigMap map : top.list("redact")) {
            RedactionRule rule = rule(map);
            if (rule != null) {
                rules.add(rule);
            }
            boolean isLarge = RedactionRule.json(rules).length() > LETTERS_MAX;
            if (rules.size() > RULES_MAX || isLarge) {
                map.refuse(
                        String.format(
                                Locale.ROOT,
                                "is one too many: at most %d rules of %,d letters together",
                                RULES_MAX,
                                LETTERS_MAX));
                return List.of();
            }
        }
        return rules;
    }

    /// Null where it has a mistake.
    private static @Nullable RedactionRule rule(ConfigMap map) {
        String jobClass = map.text("class");
        List<String> keys = map.texts("keys");
        List<String> args = map.texts("args");
        map.close();
        if (!map.isSound()) {
            return null;
        }
        if (jobClass == null) {
            map.refuse("has no \"class\": name one, such as Payment* or \"*\" for all");
            return null;
        }
        try {
            return RedactionRule.of(jobClass, keys, args);
        } catch (IllegalArgumentException wrong) {
            map.refuse(String.valueOf(wrong.getMessage()));
            return null;
        }
    }
}
