package dev.mawashi.wire;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Arguments of some job classes that nobody is shown.
///
/// @param jobClass pattern for names of classes, `*` in it stands for anything; capitals are as
///   small letters
/// @param keys patterns for the keys of hashes, in all depths, whose values are hidden
/// @param positions of whole arguments that are hidden, the first 0
/// @param hidesAll whether all arguments are
public record RedactionRule(
        String jobClass, List<String> keys, List<Integer> positions, boolean hidesAll) {
    /// The word for all arguments.
    public static final String ALL = "all";

    private static final int PATTERN_MAX = 200;
    private static final int MANY = 100;
    private static final int POSITION_MAX = 999;

    /// @throws IllegalArgumentException with the reason and the remedy, when it hides nothing, or
    ///   everything
    public RedactionRule {
        keys = List.copyOf(keys);
        positions = List.copyOf(positions);
        check(jobClass, "class");
        keys.forEach(key -> check(key, "key"));
        if (keys.size() > MANY || positions.size() > MANY) {
            throw new IllegalArgumentException("names more than " + MANY + " keys or arguments");
        }
        if (keys.isEmpty() && positions.isEmpty() && !hidesAll) {
            throw new IllegalArgumentException(
                    "hides nothing: give it \"keys\", or \"args\" (places from 0, or all)");
        }
        boolean isEverything = hidesAll || keys.stream().anyMatch(Wildcard::isAll);
        if (isEverything && Wildcard.isAll(jobClass)) {
            throw new IllegalArgumentException(
                    "hides the arguments of every job: name classes, or keys");
        }
    }

    private static void check(String pattern, String kind) {
        if (pattern.isEmpty() || pattern.length() > PATTERN_MAX) {
            throw new IllegalArgumentException(
                    "has a " + kind + " that is empty or of more than " + PATTERN_MAX + " letters");
        }
    }

    /// The rule of a file.
    ///
    /// @param args places from 0 to 999, or `all` alone
    /// @throws IllegalArgumentException with the reason and the remedy
    public static RedactionRule of(String jobClass, List<String> keys, List<String> args) {
        if (args.equals(List.of(ALL))) {
            return new RedactionRule(jobClass, keys, List.of(), true);
        }
        List<Integer> positions = new ArrayList<>();
        for (String arg : args) {
            if (!arg.matches("\\d{1,3}")) {
                throw new IllegalArgumentException(
                        "has \"args\" with %s: they are places from 0 to %s, or all alone"
                                .formatted(arg, POSITION_MAX));
            }
            positions.add(Integer.parseInt(arg));
        }
        return new RedactionRule(jobClass, keys, positions, false);
    }

    boolean isFor(Set<String> names) {
        Wildcard wanted = new Wildcard(jobClass);
        return names.stream().anyMatch(wanted::matches);
    }

    /// As `mw:redact` has it (docs/formats/mawashi.md).
    private String json() {
        return new JsonFields()
                .text("class", jobClass)
                .texts("keys", keys)
                .texts(
                        "args",
                        hidesAll ? List.of(ALL) : positions.stream().map(n -> "" + n).toList())
                .toString();
    }

    /// Rules as one record of `mw:redact`.
    public static String json(List<RedactionRule> rules) {
        return new JsonFields()
                .array("rules", rules.stream().map(RedactionRule::json).toList())
                .toString();
    }

    /// The rules of such a record; empty when it says anything that this version does not know.
    static Optional<List<RedactionRule>> parse(byte[] record) {
        try {
            JsonObject object = JsonObject.of(new String(record, StandardCharsets.UTF_8));
            List<RedactionRule> rules = new ArrayList<>();
            for (JsonObject one : object.objects("rules")) {
                rules.add(of(one.text("class"), one.texts("keys"), one.texts("args")));
            }
            // What was read says the same as what is written there, or there is more to it.
            boolean isWhole = json(rules).equals(new String(record, StandardCharsets.UTF_8));
            return isWhole && !rules.isEmpty() ? Optional.of(rules) : Optional.empty();
        } catch (IllegalArgumentException | MalformedPayload _) {
            return Optional.empty();
        }
    }
}
