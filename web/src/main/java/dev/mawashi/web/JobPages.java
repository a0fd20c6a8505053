package dev.mawashi.web;

import dev.mawashi.desk.Desks;
import dev.mawashi.http.Call;
import dev.mawashi.inspect.JobEntry;
import dev.mawashi.inspect.JobSearch;
import dev.mawashi.pages.JobPage;
import dev.mawashi.pages.JobsPage;
import dev.mawashi.pages.Links;
import dev.mawashi.pages.Shell;
import dev.mawashi.wire.JobSet;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/// Lists of jobs, a part at a time.
final class JobPages {
    private static final int ROWS = 50;

    /// A search answers after that long with what it has found.
    private static final Duration SEARCH = Duration.ofMillis(200);

    private final Desks desks;
    private final LongSupplier nanoTime;

    /// @param nanoTime a monotonic clock
    JobPages(Desks desks, LongSupplier nanoTime) {
        this.desks = desks;
        this.nanoTime = nanoTime;
    }

    /// @param shown the set's name on the page
    JobsPage set(Shell shell, JobSet set, String shown, Call call) {
        Query query = Query.of(call);
        String path = shell.section().path();
        return desks.read(desk -> {
            long size = desk.jobs().size(set);
            if (query.filter().isEmpty()) {
                List<JobEntry> found = desk.jobs().page(set, query.from(), ROWS);
                return listed(shell, shown, path, true, size, query, found);
            }
            JobSearch.Part part = desk.search().search(set, query.jobs(), query.cursor(), enough());
            return searched(shell, shown, path, true, size, query, part);
        });
    }

    JobsPage queue(Shell shell, String queue, Call call) {
        Query query = Query.of(call);
        String path = shell.section().path() + "/" + Links.segment(queue);
        return desks.read(desk -> {
            long size = desk.jobs().size(queue);
            if (query.filter().isEmpty()) {
                List<JobEntry> found = desk.jobs().page(queue, query.from(), ROWS);
                return listed(shell, queue, path, false, size, query, found);
            }
            JobSearch.Part part = desk.search().search(queue, query.jobs(), query.from(), enough());
            return searched(shell, queue, path, false, size, query, part);
        });
    }

    private JobSearch.Enough enough() {
        long end = nanoTime.getAsLong() + SEARCH.toNanos();
        return found -> found >= ROWS || nanoTime.getAsLong() - end >= 0;
    }

    private static JobsPage listed(
            Shell shell,
            String title,
            String path,
            boolean isSet,
            long size,
            Query query,
            List<JobEntry> found) {
        long end = query.from() + found.size();
        String next = end < size && !found.isEmpty() ? link(query, "from", "" + end) : "";
        String previous = query.from() > 0 ? path(query, Math.max(0, query.from() - ROWS)) : "";
        return new JobsPage(
                shell, title, path, isSet, size, query.filter(), found, -1, next, previous);
    }

    private static String path(Query query, long from) {
        return link(query, "from", "" + from);
    }

    private static JobsPage searched(
            Shell shell,
            String title,
            String path,
            boolean isSet,
            long size,
            Query query,
            JobSearch.Part part) {
        String field = isSet ? "cursor" : "from";
        String next = part.next().isEmpty() ? "" : link(query, field, part.next());
        return new JobsPage(
                shell,
                title,
                path,
                isSet,
                size,
                query.filter(),
                part.found(),
                part.looked(),
                next,
                "");
    }

    private static String link(Query query, String field, String value) {
        return Links.query(query.link(field, value));
    }

    /// The entry of a set with this key, see `Links.key`.
    Optional<JobPage> entry(Shell shell, JobSet set, String shown, String key) {
        int dash = key.indexOf('-', 1);
        String score = dash < 0 ? key : key.substring(0, dash);
        String jid = dash < 0 ? "" : key.substring(dash + 1);
        if (!score.matches("-?(inf|\\d{1,30}(\\.\\d{1,30})?)")) {
            return Optional.empty();
        }
        return desks.read(desk ->
                desk.jobs().at(set, score).stream()
                        .filter(entry -> entry.job().jid().equals(jid))
                        .findFirst()
                        .map(entry -> new JobPage(shell, set, shown, entry)));
    }
}
