package dev.mawashi.acts;

import dev.mawashi.inspect.EntryKey;
import dev.mawashi.inspect.JobQuery;
import dev.mawashi.inspect.QueryFields;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Which jobs a request means.
///
/// From a form that has both chosen rows and a filter, the field `of` tells which of them is meant;
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
                                        Refusal.wrong(
                                                "a key is a score and an id: 1763990405.25-0f3a")));
            }
            return entries;
        }
    }

    /// All that a filter finds.
    record Matching(JobQuery query, String shown) implements Chosen {}

    /// All.
    record All() implements Chosen {}

    /// The fields by which jobs are chosen.
    ///
    /// @param filter see `QueryFields`
    static Set<String> fields(List<String> filter) {
        Set<String> names = new LinkedHashSet<>(filter);
        names.addAll(Set.of("of", "key", "from"));
        return names;
    }

    /// @throws Refusal when it is not clear which
    static Chosen of(Fields asked, Instant now) {
        JobQuery query = query(asked, now);
        List<String> keys = asked.all("key").stream().distinct().toList();
        String of = asked.one("of");
        return switch (of) {
            case "" -> implied(keys, query, asked);
            case "selected" -> {
                if (keys.isEmpty()) {
                    throw Refusal.wrong("no job is selected");
                }
                yield new Rows(keys);
            }
            case "matching" -> {
                if (query.isAll()) {
                    throw Refusal.wrong("there is no filter that jobs could match");
                }
                yield new Matching(query, shown(asked));
            }
            case "all" -> new All();
            default -> throw Refusal.wrong("of is selected, matching or all");
        };
    }

    private static Chosen implied(List<String> keys, JobQuery query, Fields asked) {
        if (keys.isEmpty() == query.isAll()) {
            throw Refusal.wrong(
                    "which jobs? Give keys, or a filter ("
                            + String.join(", ", QueryFields.ofSets())
                            + "), or of: all");
        }
        return keys.isEmpty() ? new Matching(query, shown(asked)) : new Rows(keys);
    }

    private static JobQuery query(Fields asked, Instant now) {
        Set<String> jids = new LinkedHashSet<>(asked.all("jid"));
        jids.remove("");
        Map<String, String> fields = new LinkedHashMap<>();
        for (String name : QueryFields.ofSets()) {
            if (!name.equals("jid")) {
                fields.put(name, asked.one(name));
            }
        }
        try {
            JobQuery other = QueryFields.read(fields, now);
            return new JobQuery(
                    jids,
                    other.jobClass(),
                    other.queue(),
                    other.error(),
                    other.text(),
                    other.tag(),
                    other.made(),
                    other.due());
        } catch (QueryFields.NoTime wrong) {
            throw Refusal.wrong("" + wrong.getMessage());
        }
    }

    private static String shown(Fields asked) {
        List<String> parts = new ArrayList<>();
        for (String name : QueryFields.ofSets()) {
            List<String> values = asked.all(name).stream().filter(v -> !v.isBlank()).toList();
            if (!values.isEmpty()) {
                parts.add(
                        name
                                + " "
                                + String.join(", ", values.subList(0, Math.min(5, values.size()))));
            }
        }
        return String.join(", ", parts);
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

    /// In words, for the record.
    default String detail() {
        return switch (this) {
            case Rows rows ->
                    rows.keys().size() == 1
                            ? rows.keys().getFirst()
                            : rows.keys().size() + " chosen";
            case Matching matching -> matching.shown();
            case All _ -> "all";
        };
    }
}
