package dev.mawashi.config;

import dev.mawashi.wire.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/// YAML as JSON. A word without quotes that Ruby's YAML has as another value is refused: files that
/// Ruby reads are moved here.
final class YamlJson {
    private static final int DEPTH_MAX = 50;
    private static final String NUMBER = "-?(0|[1-9]\\d*)(\\.\\d+)?([eE][-+]?\\d+)?";

    /// What Ruby's YAML takes for no text, or for one.
    private static final Pattern OTHER_IN_RUBY =
            Pattern.compile(
                    "(?i)~|null|true|false|yes|no|on|off|[-+]?\\.inf|\\.nan|:.+"
                            + "|[-+]?0(x[0-9a-f_,]+|b[01_,]+|[0-7_,]+)|[-+]?\\d[\\d_,]*"
                            + "|[-+]?\\d[\\d_,]*(:[0-5]?\\d){1,2}(\\.\\d*)?"
                            + "|[-+]?(\\d[\\d_,]*)?\\.\\d*(e[-+]\\d+)?");

    private static final Pattern TEXT_IN_RUBY =
            Pattern.compile("-?\\d+(\\.\\d+)?[eE]\\d+|-?\\d+[eE][-+]\\d+");

    /// Begins as no JSON does.
    private static final Pattern WORD =
            Pattern.compile(
                    "(?!(true|false|null|NaN|Infinity)\\s*\\z)[^\\s\\d\\[{\"/-].*", Pattern.DOTALL);

    private YamlJson() {}

    /// A list. A map, or a text that is no JSON, is a list of itself alone, as `args` of
    /// sidekiq-cron has it (`parse_args` in its `job.rb`, which reads other texts as JSON).
    ///
    /// @throws IllegalArgumentException with the reason, for a node that is none, or holds a value
    ///   that JSON has not
    static String list(Node node) {
        return switch (node) {
            case SequenceNode _ -> of(node, 0);
            case MappingNode _ -> "[" + of(node, 1) + "]";
            case ScalarNode text
                    when text.getTag().equals(Tag.STR) && WORD.matcher(text.getValue()).matches() ->
                    "[" + scalar(text) + "]";
            default -> throw new IllegalArgumentException("must be a list");
        };
    }

    private static String of(Node node, int depth) {
        if (depth > DEPTH_MAX) {
            throw new IllegalArgumentException("is nested too deeply");
        }
        List<String> parts = new ArrayList<>();
        return switch (node) {
            case SequenceNode list -> {
                list.getValue().forEach(element -> parts.add(of(element, depth + 1)));
                yield "[" + String.join(",", parts) + "]";
            }
            case MappingNode map -> {
                MergedEntries.of(map).forEach(entry -> parts.add(field(entry, depth)));
                yield "{" + String.join(",", parts) + "}";
            }
            case ScalarNode scalar -> scalar(scalar);
            default -> throw new IllegalArgumentException("has a value that JSON has not");
        };
    }

    private static String field(NodeTuple entry, int depth) {
        if (!(entry.getKeyNode() instanceof ScalarNode key)) {
            throw new IllegalArgumentException("has a key that is no text");
        }
        if (key.getScalarStyle() == ScalarStyle.PLAIN && key.getValue().startsWith(":")) {
            throw otherInRuby(key.getValue());
        }
        return Json.quote(key.getValue()) + ":" + of(entry.getValueNode(), depth + 1);
    }

    private static String scalar(ScalarNode scalar) {
        Tag tag = scalar.getTag();
        String text = scalar.getValue();
        boolean isPlain = scalar.getScalarStyle() == ScalarStyle.PLAIN;
        Pattern other = tag.equals(Tag.STR) ? OTHER_IN_RUBY : TEXT_IN_RUBY;
        if (isPlain && other.matcher(text).matches()) {
            throw otherInRuby(text);
        }
        if (tag.equals(Tag.NULL)) {
            return "null";
        }
        if (tag.equals(Tag.BOOL)) {
            return text.toLowerCase(Locale.ROOT);
        }
        if (tag.equals(Tag.INT) || tag.equals(Tag.FLOAT)) {
            if (!text.matches(NUMBER)) {
                throw new IllegalArgumentException(
                        "has the number " + text + ", which JSON has not");
            }
            return text;
        }
        return Json.quote(text);
    }

    private static IllegalArgumentException otherInRuby(String text) {
        return new IllegalArgumentException(
                "has "
                        + text
                        + " without quotes, which Ruby reads otherwise: write it in quotes, or as"
                        + " JSON has it");
    }
}
