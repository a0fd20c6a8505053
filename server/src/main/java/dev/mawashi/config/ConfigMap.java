package dev.mawashi.config;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/// A map of a YAML file. The reader asks for each key that it knows; `close` notes any other key as
/// a mistake. A value that cannot be followed is noted as one too, with its line, and then read as
/// if it were not given, so that one reading finds all mistakes.
final class ConfigMap {
    private static final String EMPTY = "is empty: leave the key out, or say what is meant";
    private static final int MISTAKES_MAX = 100;
    private static final Map<String, Level> LEVELS =
            Map.of(
                    "debug", Level.DEBUG,
                    "info", Level.INFO,
                    "warn", Level.WARNING,
                    "error", Level.ERROR);

    private final String file;
    private final List<String> mistakes;
    private final String path;
    private final SequencedMap<String, Node> values = new LinkedHashMap<>();
    private final Map<String, Node> keys = new LinkedHashMap<>();
    private final Set<String> asked = new LinkedHashSet<>();
    private final Map<String, String> places = new HashMap<>();
    private final Node node;
    private boolean isSound = true;

    /// @param mistakes where they are noted, of all maps of the file
    /// @param path of keys that lead here, "" at the top
    ConfigMap(String file, List<String> mistakes, String path, Node node) {
        this.file = file;
        this.mistakes = mistakes;
        this.path = path;
        this.node = node;
        if (isNull(node)) {
            return;
        }
        if (!(node instanceof MappingNode map)) {
            note(node, path.isEmpty() ? "the file" : path, "must be a map of names");
            return;
        }
        try {
            MergedEntries.of(map).forEach(this::add);
        } catch (IllegalArgumentException cannot) {
            note(node, path.isEmpty() ? "the file" : path, String.valueOf(cannot.getMessage()));
        }
    }

    private void add(NodeTuple entry) {
        Node key = entry.getKeyNode();
        if (!(key instanceof ScalarNode name)) {
            note(key, "a key", "must be a name");
            return;
        }
        if (values.put(name.getValue(), entry.getValueNode()) != null) {
            note(key, full(name.getValue()), "is given twice");
        }
        keys.put(name.getValue(), key);
    }

    /// Null when the key is not given.
    @Nullable String text(String key) {
        ScalarNode value = scalar(key, "must be a text");
        return value == null ? null : value.getValue();
    }

    /// A text that `check` accepts; null when the key is not given.
    ///
    /// @param check throws `IllegalArgumentException`, with the reason, for a text that is not
    ///   valid
    @Nullable String text(String key, Consumer<String> check) {
        ScalarNode value = scalar(key, "must be a text");
        if (value == null) {
            return null;
        }
        try {
            check.accept(value.getValue());
        } catch (IllegalArgumentException cannot) {
            note(value, full(key) + ":", String.valueOf(cannot.getMessage()));
            return null;
        }
        return value.getValue();
    }

    /// A whole number from `min` to `max`; null when the key is not given.
    @Nullable Integer whole(String key, int min, int max) {
        return value(
                key,
                "must be a whole number from " + min + " to " + max,
                text ->
                        Optional.of(Integer.parseInt(text.replace("_", "")))
                                .filter(number -> number >= min && number <= max));
    }

    /// A number over 0, at most `max`; null when the key is not given.
    @Nullable Double number(String key, double max) {
        return value(
                key,
                "must be a number over 0, at most " + (long) max,
                text ->
                        Optional.of(Double.parseDouble(text))
                                .filter(number -> number > 0 && number <= max));
    }

    /// True for `virtual`, false for `platform`; null when the key is not given.
    @Nullable Boolean isVirtual(String key) {
        String rule = "must be platform or virtual (their number is \"concurrency\")";
        return value(key, rule, text -> one(text, Map.of("virtual", true, "platform", false)));
    }

    /// True or false; null when the key is not given.
    @Nullable Boolean flag(String key) {
        Map<String, Boolean> words = Map.of("true", true, "false", false);
        return value(key, "must be true or false", text -> one(text, words));
    }

    /// A level of the log; null when the key is not given.
    @Nullable Level level(String key) {
        return value(key, "must be debug, info, warn or error", text -> one(text, LEVELS));
    }

    /// Null when the key is not given.
    @Nullable RunnerKind kindAt(String key) {
        return kindAt(key, RunnerKind.words());
    }

    /// A runner of Ruby jobs; null when the key is not given.
    @Nullable RunnerKind rubyKindAt(String key) {
        return kindAt(key, RunnerKind.rubyWords());
    }

    private @Nullable RunnerKind kindAt(String key, List<String> words) {
        return value(
                key,
                "must be one of " + String.join(", ", words),
                text -> RunnerKind.of(text).filter(known -> words.contains(known.word())));
    }

    private static <T> Optional<T> one(String text, Map<String, T> words) {
        return Optional.ofNullable(words.get(text));
    }

    /// @param meaning of a text; empty, or a `NumberFormatException`, for one that the rule forbids
    private <T> @Nullable T value(String key, String rule, Function<String, Optional<T>> meaning) {
        ScalarNode value = scalar(key, rule);
        if (value == null) {
            return null;
        }
        try {
            Optional<T> meant = meaning.apply(value.getValue());
            if (meant.isPresent()) {
                return meant.get();
            }
        } catch (NumberFormatException _) {
            // A text that is no number fails as a number out of range does.
        }
        note(value, full(key) + " is " + value.getValue() + ",", rule);
        return null;
    }

    /// The runner that the last key of this map's path names; null when it names none.
    @Nullable RunnerKind kind(String name) {
        Optional<RunnerKind> kind = RunnerKind.of(name);
        if (kind.isEmpty()) {
            String rule = "must be one of " + String.join(", ", RunnerKind.words());
            note(node, path + ": " + name + ",", rule);
            return null;
        }
        places.put("runner", place(node));
        return kind.get();
    }

    /// Where the values are that were read by now.
    Origins origins() {
        return Origins.of(places);
    }

    /// Null when the key is not given.
    @Nullable ConfigMap map(String key) {
        asked.add(key);
        @Nullable Node value = values.get(key);
        return value == null ? null : new ConfigMap(file, mistakes, full(key), value);
    }

    /// The maps inside the map under `key`, by their names; empty when the key is not given.
    SequencedMap<String, ConfigMap> maps(String key) {
        SequencedMap<String, ConfigMap> maps = new LinkedHashMap<>();
        ConfigMap outer = map(key);
        if (outer != null) {
            places.put(key, place(outer.node));
            outer.values.forEach((name, inner) ->
                    maps.put(name, new ConfigMap(file, mistakes, outer.full(name), inner)));
        }
        return maps;
    }

    /// The maps in the list under `key`; empty when the key is not given.
    List<ConfigMap> list(String key) {
        List<ConfigMap> maps = new ArrayList<>();
        for (Node element : elements(key, "must be a list of maps, each behind a dash")) {
            if (isNull(element)) {
                note(element, full(key), "has nothing behind a dash");
            } else {
                maps.add(new ConfigMap(file, mistakes, full(key), element));
            }
        }
        return maps;
    }

    /// The texts in the list under `key`, or the single one there; empty when the key is not given.
    List<String> texts(String key) {
        asked.add(key);
        if (values.get(key) instanceof ScalarNode one && !isNull(one)) {
            return List.of(one.getValue());
        }
        List<String> texts = new ArrayList<>();
        for (Node element : elements(key, "must be a text or a list of texts")) {
            if (element instanceof ScalarNode text && !isNull(text)) {
                texts.add(text.getValue());
            } else {
                note(element, full(key), "must be a text or a list of texts");
            }
        }
        return texts;
    }

    /// The list under `key` as JSON; null when the key is not given.
    @Nullable String json(String key) {
        asked.add(key);
        Node value = values.get(key);
        if (value == null || isNull(value)) {
            return null;
        }
        try {
            return YamlJson.list(value);
        } catch (IllegalArgumentException cannot) {
            note(value, full(key), String.valueOf(cannot.getMessage()));
            return null;
        }
    }

    private List<Node> elements(String key, String rule) {
        asked.add(key);
        Node value = values.get(key);
        if (value == null) {
            return List.of();
        }
        if (!(value instanceof SequenceNode list)) {
            note(value, full(key), isNull(value) ? EMPTY : rule);
            return List.of();
        }
        places.put(key, place(value));
        if (list.getValue().isEmpty()) {
            note(value, full(key), EMPTY);
        }
        return list.getValue();
    }

    /// Notes that this map as a whole is wrong.
    void refuse(String rule) {
        note(node, path, rule);
    }

    /// Whether no mistake was noted in this map.
    boolean isSound() {
        return isSound;
    }

    /// The numbers over 0 in the map under `key`, by their names; empty when the key is not given.
    Map<String, Double> numbers(String key, double max) {
        Map<String, Double> numbers = new LinkedHashMap<>();
        ConfigMap outer = map(key);
        if (outer != null) {
            places.put(key, place(outer.node));
            for (String name : outer.values.keySet()) {
                Double number = outer.number(name, max);
                if (number != null) {
                    numbers.put(name, number);
                }
            }
        }
        return numbers;
    }

    /// Notes each key that nobody asked for.
    void close() {
        for (Map.Entry<String, Node> key : keys.entrySet()) {
            if (!asked.contains(key.getKey())) {
                String near =
                        Nearest.to(key.getKey(), asked)
                                .map(word -> "did you mean " + word + "?")
                                .orElse("known are " + String.join(", ", asked));
                note(key.getValue(), "unknown key " + full(key.getKey()) + ":", near);
            }
        }
    }

    private @Nullable ScalarNode scalar(String key, String rule) {
        asked.add(key);
        Node value = values.get(key);
        if (value == null || isNull(value)) {
            return null;
        }
        if (value instanceof ScalarNode scalar) {
            places.put(key, place(value));
            return scalar;
        }
        note(value, full(key), rule);
        return null;
    }

    private static boolean isNull(Node node) {
        return Tag.NULL.equals(node.getTag());
    }

    private String full(String key) {
        return path.isEmpty() ? key : path + "." + key;
    }

    private void note(Node where, String subject, String rule) {
        isSound = false;
        if (mistakes.size() < MISTAKES_MAX) {
            mistakes.add(place(where) + ": " + subject + " " + rule);
        }
    }

    private String place(Node where) {
        return file + where.getStartMark().map(mark -> " line " + (mark.getLine() + 1)).orElse("");
    }
}
