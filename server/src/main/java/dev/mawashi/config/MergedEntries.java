package dev.mawashi.config;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/// The entries of a YAML map, with those that its `<<` takes over from another map or from a list
/// of maps (yaml.org/type/merge.html). Own entries win, then those of the first map.
final class MergedEntries {
    private static final String MERGE = "<<";

    /// A map gives its entries once: it may hold itself, and lists may name it again and again.
    private final Set<MappingNode> seen = Collections.newSetFromMap(new IdentityHashMap<>());

    private final Map<String, NodeTuple> taken = new LinkedHashMap<>();

    private MergedEntries() {}

    /// All entries, also own ones that are given twice.
    ///
    /// @throws IllegalArgumentException with the reason, for a `<<` that cannot be followed, or
    ///   that Ruby follows in another way
    static List<NodeTuple> of(MappingNode map) {
        MergedEntries merged = new MergedEntries();
        List<NodeTuple> own = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (NodeTuple entry : map.getValue()) {
            String name = name(entry);
            if (!name.equals(MERGE)) {
                own.add(entry);
                names.add(name);
                continue;
            }
            if (!merged.seen.isEmpty()) {
                throw new IllegalArgumentException("has << twice: give one, with a list of maps");
            }
            merged.seen.add(map);
            merged.take(entry.getValueNode());
            requireFirst(names, merged.taken);
        }
        merged.taken.keySet().removeAll(names);
        own.addAll(0, merged.taken.values());
        return own;
    }

    private void take(Node node) {
        switch (node) {
            case MappingNode map when seen.add(map) -> {
                List<Node> others = new ArrayList<>();
                for (NodeTuple entry : map.getValue()) {
                    if (name(entry).equals(MERGE)) {
                        others.add(entry.getValueNode());
                    } else {
                        taken.putIfAbsent(name(entry), entry);
                    }
                }
                others.forEach(this::take);
            }
            case MappingNode _ -> {}
            case SequenceNode list
                    when list.getValue().stream().allMatch(MappingNode.class::isInstance) ->
                    list.getValue().forEach(this::take);
            default ->
                    throw new IllegalArgumentException(
                            "has << with no map behind it: write <<: *NAME of a map that &NAME"
                                    + " marks");
        }
    }

    /// Ruby lets an entry of `<<` win over own ones that stand before it.
    private static void requireFirst(Set<String> before, Map<String, NodeTuple> taken) {
        taken.keySet().stream()
                .filter(before::contains)
                .findFirst()
                .ifPresent(name -> {
                    throw new IllegalArgumentException(
                            "has " + name + " before <<, which brings it too: put << first");
                });
    }

    /// Of a key that is no text, one that no text has.
    private static String name(NodeTuple entry) {
        return entry.getKeyNode() instanceof ScalarNode key
                ? key.getValue()
                : "\0" + System.identityHashCode(entry.getKeyNode());
    }
}
