package dev.mawashi.web;

import dev.mawashi.http.Call;
import dev.mawashi.inspect.JobQuery;
import dev.mawashi.pages.JobsPage;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// What a list of jobs is asked for. Fields that make no sense count as not given.
///
/// @param from place of the first job, where nothing is searched
/// @param cursor where a search goes on
record Query(JobsPage.Filter filter, long from, String cursor) {
    private static final int LENGTH_MAX = 1_000;

    /// Redis counts places with 64 bits; nobody has more entries.
    private static final String NUMBER = "\\d{1,18}";

    /// A cursor of Redis's takes all of 64 bits.
    private static final String CURSOR = "\\d{1,20}";

    static Query of(Call call) {
        JobsPage.Filter filter =
                new JobsPage.Filter(
                        field(call, "class"),
                        field(call, "queue"),
                        field(call, "error"),
                        field(call, "text"),
                        field(call, "jid"));
        String from = field(call, "from");
        String cursor = field(call, "cursor");
        return new Query(
                filter,
                from.matches(NUMBER) ? Long.parseLong(from) : 0,
                cursor.matches(CURSOR) ? cursor : "0");
    }

    private static String field(Call call, String name) {
        String value = call.query().getOrDefault(name, List.of("")).getFirst().strip();
        return value.length() > LENGTH_MAX ? value.substring(0, LENGTH_MAX) : value;
    }

    JobQuery jobs() {
        Set<String> jids = filter.jid().isEmpty() ? Set.of() : Set.of(filter.jid());
        return new JobQuery(jids, filter.jobClass(), filter.queue(), filter.error(), filter.text());
    }

    /// The fields of a link to another part of the same list.
    Map<String, String> link(String field, String value) {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("class", filter.jobClass());
        fields.put("queue", filter.queue());
        fields.put("error", filter.error());
        fields.put("text", filter.text());
        fields.put("jid", filter.jid());
        fields.put(field, value);
        return fields;
    }
}
