package dev.mawashi.acts;

import dev.mawashi.inspect.EntryKey;
import dev.mawashi.inspect.QueryFields;
import dev.mawashi.operate.Act;
import dev.mawashi.operate.Selection;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The jobs that a request names.
///
/// From a form that has both chosen rows and a filter, the field `of` says which of them is meant;
/// a program gives one of them, or `of` as `all`.
sealed interface Chosen {
    /// Rows of a page.
    ///
    /// @param keys of a set's entries; of a queue's jobs their ids
    record Rows(List<String> keys) implements Chosen {
        public Rows {
            keys = List.copyOf(keys);
        }

        /// @throws Refusal when one is no key of an entry
        List<EntryKey> entries() {
            List<EntryKey> entries = new ArrayList<>(keys.size());
            for (String key : keys) {
                entries.add(
                        EntryKey.parse(key)
                                .orElseThrow(() ->
                                        ActRefusal.wrong(
                                                "a key is a score and an id: 1763990405.25-0f3a")));
            }
            return entries;
        }
    }

    /// All that a filter finds, or all.
    record Matching(Selection selection) implements Chosen {}

    /// The fields of an act's request.
    ///
    /// @param filter those by which jobs are found, see `QueryFields`
    static Set<String> fields(List<String> filter, Act act) {
        Set<String> names = new LinkedHashSet<>(filter);
        names.addAll(List.of("of", "key", "from"));
        names.addAll(act.fields());
        return names;
    }

    /// @param filter as with `fields`
    /// @throws Refusal when it is not clear which
    static Chosen of(PostedFields asked, List<String> filter, Instant now) {
        Selection selection = selection(asked, filter, now);
        boolean isFiltered = !selection.query().isAll();
        List<String> keys = asked.all("key").stream().distinct().toList();
        String of = asked.one("of");
        return switch (of) {
            case "" -> {
                if (keys.isEmpty() != isFiltered) {
                    throw ActRefusal.wrong(
                            "which jobs? Give keys, or a filter ("
                                    + String.join(", ", filter)
                                    + "), or of: all");
                }
                yield isFiltered ? new Matching(selection) : new Rows(keys);
            }
            case "selected" -> {
                if (keys.isEmpty()) {
                    throw ActRefusal.wrong("no job is selected");
                }
                yield new Rows(keys);
            }
            case "matching" -> {
                if (!isFiltered) {
                    throw ActRefusal.wrong("there is no filter that jobs could match");
                }
                yield new Matching(selection);
            }
            case "all" -> new Matching(Selection.ALL);
            default -> throw ActRefusal.wrong("of is selected, matching or all");
        };
    }

    private static Selection selection(PostedFields asked, List<String> filter, Instant now) {
        Map<String, List<String>> fields = new LinkedHashMap<>();
        for (String name : filter) {
            List<String> values = name.equals("jid") ? asked.all(name) : List.of(asked.one(name));
            fields.put(name, values);
        }
        try {
            return Selection.of(fields, now);
        } catch (QueryFields.NoTime wrong) {
            throw ActRefusal.wrong("" + wrong.getMessage());
        }
    }

    /// The fields with which the page shows the same list again.
    static Map<String, String> query(Ask ask) {
        Map<String, String> query = new LinkedHashMap<>();
        List<String> names = new ArrayList<>(QueryFields.ofSets());
        names.addAll(List.of("from", "cursor"));
        for (String name : names) {
            List<String> values = ask.fields().all(name);
            if (ask.fields().isForm() && !values.isEmpty()) {
                query.put(name, values.getFirst());
            }
        }
        return query;
    }

    /// As a record shows them.
    default String words() {
        return switch (this) {
            case Rows rows ->
                    rows.keys().size() == 1
                            ? rows.keys().getFirst()
                            : rows.keys().size() + " chosen";
            case Matching(Selection selection) -> selection.words();
        };
    }
}
