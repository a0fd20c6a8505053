package dev.mawashi.operate;

import dev.mawashi.inspect.JobQuery;
import dev.mawashi.inspect.QueryFields;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The jobs that an act is for.
///
/// @param words as a record shows them: `class Report, older 7d`; `all`
public record Selection(JobQuery query, String words) {
    public static final Selection ALL = new Selection(JobQuery.ALL, "all");

    private static final int VALUES_SHOWN = 5;

    /// @param fields those of `QueryFields`, each with one value, `jid` with any number; an empty
    ///   value counts as not given
    /// @throws QueryFields.NoTime when a time is none
    public static Selection of(Map<String, List<String>> fields, Instant now) {
        Map<String, String> single = new LinkedHashMap<>();
        Set<String> jids = new LinkedHashSet<>();
        List<String> words = new ArrayList<>();
        for (String name : QueryFields.ofSets()) {
            List<String> values =
                    fields.getOrDefault(name, List.of()).stream()
                            .filter(value -> !value.isEmpty())
                            .toList();
            if (values.isEmpty()) {
                continue;
            }
            if (name.equals("jid")) {
                jids.addAll(values);
            } else {
                single.put(name, values.getFirst());
            }
            words.add(name + " " + String.join(", ", values.stream().limit(VALUES_SHOWN).toList()));
        }
        JobQuery query = QueryFields.read(single, now).withJids(jids);
        return query.isAll() ? ALL : new Selection(query, String.join(", ", words));
    }
}
