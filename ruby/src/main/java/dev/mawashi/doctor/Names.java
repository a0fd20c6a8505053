package dev.mawashi.doctor;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.ruby_lang.prism.Nodes;

/// Texts of Prism's nodes: names, constants with their paths, literals.
final class Names {
    private Names() {}

    static String of(byte[] name) {
        return new String(name, UTF_8);
    }

    /// `A::B` of a constant, without a leading `::`; "" for any other node, and for a path that
    /// begins with a value.
    static String constant(Nodes.@Nullable Node node) {
        return switch (node) {
            case Nodes.ConstantReadNode read -> of(read.name);
            case Nodes.ConstantPathNode path -> {
                if (path.name == null) {
                    yield "";
                }
                String parent = path.parent == null ? "" : constant(path.parent);
                boolean isOfValue = path.parent != null && parent.isEmpty();
                yield isOfValue ? "" : (parent.isEmpty() ? "" : parent + "::") + of(path.name);
            }
            case null, default -> "";
        };
    }

    /// The text of a string or symbol; null for anything else.
    static @Nullable String literal(Nodes.@Nullable Node node) {
        return switch (node) {
            case Nodes.StringNode string -> of(string.unescaped);
            case Nodes.SymbolNode symbol -> of(symbol.unescaped);
            case null, default -> null;
        };
    }

    /// The arguments of a call.
    static List<Nodes.Node> arguments(Nodes.CallNode call) {
        return call.arguments == null ? List.of() : List.of(call.arguments.arguments);
    }

    /// The value of a keyword among a call's arguments; null where there is none.
    static Nodes.@Nullable Node keyword(Nodes.CallNode call, String name) {
        return arguments(call).stream()
                .flatMap(argument -> pairs(argument))
                .filter(pair -> name.equals(literal(pair.key)))
                .map(pair -> pair.value)
                .findFirst()
                .orElse(null);
    }

    private static Stream<Nodes.AssocNode> pairs(Nodes.Node node) {
        Nodes.Node[] elements =
                switch (node) {
                    case Nodes.KeywordHashNode hash -> hash.elements;
                    case Nodes.HashNode hash -> hash.elements;
                    default -> new Nodes.Node[0];
                };
        return Stream.of(elements)
                .filter(Nodes.AssocNode.class::isInstance)
                .map(Nodes.AssocNode.class::cast);
    }

    /// The texts of a literal, or of an array of them.
    static List<String> literals(Nodes.@Nullable Node node) {
        if (node instanceof Nodes.ArrayNode array) {
            return Stream.of(array.elements).flatMap(one -> literals(one).stream()).toList();
        }
        String text = literal(node);
        return text == null ? List.of() : List.of(text);
    }
}
