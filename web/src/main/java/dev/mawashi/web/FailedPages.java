package dev.mawashi.web;

import dev.mawashi.desk.Desks;
import dev.mawashi.http.Call;
import dev.mawashi.inspect.FailureReader;
import dev.mawashi.inspect.JobQuery;
import dev.mawashi.pages.FailedPage;
import dev.mawashi.pages.FailurePage;
import dev.mawashi.pages.Links;
import dev.mawashi.pages.Shell;
import dev.mawashi.wire.ResqueKeys;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/// Resque's failure lists, a part at a time from the newest record on.
final class FailedPages {
    private static final int ROWS = 50;

    /// A search answers after that long with what it has found.
    private static final Duration SEARCH = Duration.ofMillis(200);

    /// Of more lists the first by name are shown.
    private static final int LISTS_MAX = 200;

    private static final int LENGTH_MAX = 1_000;

    /// A page ends after so many bytes of records.
    private static final long BYTES_MAX = 4 << 20;

    private final Desks desks;
    private final ResqueKeys keys;
    private final LongSupplier nanoTime;

    /// @param nanoTime a monotonic clock
    FailedPages(Desks desks, ResqueKeys keys, LongSupplier nanoTime) {
        this.desks = desks;
        this.keys = keys;
        this.nanoTime = nanoTime;
    }

    /// Fields that make no sense count as not given. `to` is the place after the newest record to
    /// look at: it stays what it is when newer ones come.
    FailedPage list(Shell shell, Call call) {
        JobQuery filter =
                new JobQuery(
                        Set.of(),
                        field(call, "class"),
                        field(call, "queue"),
                        field(call, "error"),
                        field(call, "text"));
        return desks.read(desk -> {
            FailureReader reader = new FailureReader(desk.connection(), keys);
            List<FailedPage.Size> lists =
                    reader.lists().stream()
                            .limit(LISTS_MAX)
                            .map(name -> new FailedPage.Size(name, reader.size(name)))
                            .toList();
            FailedPage.Size list =
                    lists.stream()
                            .filter(one -> one.name().equals(field(call, "list")))
                            .findFirst()
                            .orElse(lists.getFirst());
            String to = field(call, "to");
            long end =
                    to.matches("\\d{1,18}")
                            ? Math.min(list.size(), Long.parseLong(to))
                            : list.size();
            return found(
                    new FailedPage(shell, lists, list, filter, List.of(), -1, ""), reader, end);
        });
    }

    private FailedPage found(FailedPage page, FailureReader reader, long end) {
        JobQuery query = page.filter();
        long stop = nanoTime.getAsLong() + SEARCH.toNanos();
        List<FailureReader.Placed> found = new ArrayList<>();
        long at = end;
        while (at > 0
                && found.size() < ROWS
                && bytes(found) < BYTES_MAX
                && (at == end || nanoTime.getAsLong() - stop < 0)) {
            long from = Math.max(0, at - (query.isAll() ? ROWS : FailureReader.PAGE));
            FailureReader.Looked looked = reader.before(page.list().name(), from, at, query);
            for (FailureReader.Placed one : looked.found()) {
                found.add(new FailureReader.Placed(one.place(), one.failure().shown()));
            }
            at = looked.end();
        }
        if (found.size() > ROWS) {
            at = found.get(ROWS - 1).place();
            found = found.subList(0, ROWS);
        }
        return new FailedPage(
                page.shell(),
                page.lists(),
                page.list(),
                query,
                found,
                query.isAll() ? -1 : end - at,
                at > 0 ? next(page, at) : "");
    }

    private static long bytes(List<FailureReader.Placed> found) {
        return found.stream().mapToLong(one -> one.failure().size()).sum();
    }

    private static String next(FailedPage page, long to) {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("list", page.list().name());
        fields.put("class", page.filter().jobClass());
        fields.put("queue", page.filter().queue());
        fields.put("error", page.filter().error());
        fields.put("text", page.filter().text());
        fields.put("to", "" + to);
        return Links.query(fields);
    }

    /// The record at the place that the path names; empty when there is none, or no such list.
    Optional<FailurePage> one(Shell shell, Call call) {
        String list = call.path().getOrDefault("list", "");
        String place = call.path().getOrDefault("place", "");
        if (!place.matches("\\d{1,18}")) {
            return Optional.empty();
        }
        long at = Long.parseLong(place);
        return desks.read(desk -> {
            FailureReader reader = new FailureReader(desk.connection(), keys);
            // Any other name could stand for any other key of Resque's.
            return reader.lists().contains(list)
                    ? reader.at(list, at)
                            .map(failure -> new FailurePage(shell, at, failure.shown()))
                    : Optional.empty();
        });
    }

    private static String field(Call call, String name) {
        String value = call.query().getOrDefault(name, List.of("")).getFirst().strip();
        return value.length() > LENGTH_MAX ? value.substring(0, LENGTH_MAX) : value;
    }
}
