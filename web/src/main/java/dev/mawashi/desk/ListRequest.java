package dev.mawashi.desk;

import dev.mawashi.inspect.JobQuery;
import dev.mawashi.inspect.QueryFields;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/// A request for a list of jobs.
///
/// @param fields those of the query that are given, as they were
/// @param from place of the first job in a list that is not searched; empty: not given
/// @param cursor where a search goes on; "" to begin
/// @param limit how many jobs at most
public record ListRequest(
        Map<String, String> fields, JobQuery query, OptionalLong from, String cursor, int limit) {
    public static final int LIMIT_MAX = 1_000;
    private static final int LIMIT = 50;

    /// Redis counts places with 64 bits; nobody has more entries.
    private static final String NUMBER = "\\d{1,18}";

    public ListRequest {
        fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
    }

    /// Reads a request's parameters. Places and numbers that make no sense count as not given.
    ///
    /// @param names of the query's fields, see `QueryFields`
    /// @throws QueryFields.NoTime when a field should be a time and is none
    public static ListRequest of(
            Map<String, List<String>> parameters, List<String> names, Instant now) {
        Map<String, String> fields = new LinkedHashMap<>();
        for (String name : names) {
            String value = first(parameters, name);
            if (!value.isEmpty()) {
                fields.put(name, value);
            }
        }
        String from = first(parameters, "from");
        String limit = first(parameters, "limit");
        return new ListRequest(
                fields,
                QueryFields.read(fields, now),
                from.matches(NUMBER) ? OptionalLong.of(Long.parseLong(from)) : OptionalLong.empty(),
                first(parameters, "cursor"),
                limit.matches("\\d{1,4}")
                        ? Math.clamp(Integer.parseInt(limit), 1, LIMIT_MAX)
                        : LIMIT);
    }

    private static String first(Map<String, List<String>> parameters, String name) {
        List<String> values = parameters.getOrDefault(name, List.of());
        return values.isEmpty() ? "" : values.getFirst().strip();
    }

    /// The fields of an address that asks for another part of the same list.
    public Map<String, String> with(String name, String value) {
        Map<String, String> all = new LinkedHashMap<>(fields);
        if (limit != LIMIT) {
            all.put("limit", "" + limit);
        }
        all.put(name, value);
        return all;
    }
}
