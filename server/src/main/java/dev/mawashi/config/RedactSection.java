package dev.mawashi.config;

import dev.mawashi.wire.RedactionRule;
import java.util.ArrayList;
import java.util.List;

/// The section `redact` of `config/mawashi.yml`: what is hidden of jobs where people look at them.
final class RedactSection {
    private static final int RULES_MAX = 100;

    /// Each page that shows a job reads them.
    private static final int LETTERS_MAX = 64 << 10;

    private RedactSection() {}

    /// @param top the whole file
    /// @return none where the file has no such section
    /// @throws ConfigFailure when a rule hides nothing, or everything, or cannot be understood
    static List<RedactionRule> read(ConfigMap top) {
        List<RedactionRule> rules = new ArrayList<>();
        for (ConfigMap map : top.list("redact")) {
            rules.add(rule(map));
            boolean isLarge = RedactionRule.json(rules).length() > LETTERS_MAX;
            if (rules.size() > RULES_MAX || isLarge) {
                throw map.refused(
                        "is one too many: at most %d rules of %,d letters together"
                                .formatted(RULES_MAX, LETTERS_MAX));
            }
        }
        return rules;
    }

    private static RedactionRule rule(ConfigMap map) {
        String jobClass = map.text("class");
        List<String> keys = map.texts("keys");
        List<String> args = map.texts("args");
        map.close();
        if (jobClass == null) {
            throw map.refused("has no \"class\": name one, such as Payment* or \"*\" for all");
        }
        try {
            return RedactionRule.of(jobClass, keys, args);
        } catch (IllegalArgumentException wrong) {
            throw map.refused(String.valueOf(wrong.getMessage()));
        }
    }
}
