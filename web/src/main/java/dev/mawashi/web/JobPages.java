package dev.mawashi.web;

import dev.mawashi.desk.Desks;
import dev.mawashi.desk.JobLists;
import dev.mawashi.desk.ListRequest;
import dev.mawashi.http.Call;
import dev.mawashi.inspect.EntryKey;
import dev.mawashi.inspect.JobEntry;
import dev.mawashi.inspect.QueryFields;
import dev.mawashi.pages.JobPage;
import dev.mawashi.pages.JobsPage;
import dev.mawashi.pages.Links;
import dev.mawashi.pages.Shell;
import dev.mawashi.wire.JobSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/// Lists of jobs, a part at a time.
final class JobPages {
    private final Desks desks;
    private final JobLists lists;

    /// @param nanoTime a monotonic clock
    JobPages(Desks desks, LongSupplier nanoTime) {
        this.desks = desks;
        lists = new JobLists(desks, nanoTime);
    }

    /// @param shown the set's name on the page
    /// @throws QueryFields.NoTime when a field should be a time and is none
    JobsPage set(Shell shell, JobSet set, String shown, Call call) {
        ListRequest request = ListRequest.of(call.query(), QueryFields.ofSets(), shell.now());
        boolean isSearch = !request.query().isAll();
        JobLists.Part part = isSearch ? lists.search(set, request) : lists.page(set, request);
        return page(shell, shown, shell.section().path(), Kind.SET, call, request, part);
    }

    /// @throws QueryFields.NoTime when a field should be a time and is none
    JobsPage queue(Shell shell, String queue, Call call) {
        ListRequest request = ListRequest.of(call.query(), QueryFields.ofQueues(), shell.now());
        boolean isSearch = !request.query().isAll();
        JobLists.Part part = isSearch ? lists.search(queue, request) : lists.page(queue, request);
        String path = shell.section().path() + "/" + Links.segment(queue);
        boolean isPaused = desks.read(desk -> desk.inspector().isPaused(queue));
        Kind kind = isPaused ? Kind.PAUSED_QUEUE : Kind.QUEUE;
        return page(shell, queue, path, kind, call, request, part);
    }

    private static JobsPage page(
            Shell shell,
            String title,
            String path,
            Kind kind,
            Call call,
            ListRequest request,
            JobLists.Part part) {
        boolean isSearch = !request.query().isAll();
        long foundSoFar = (isSearch ? foundBefore(call) : 0) + part.found().size();
        Map<String, String> next = new LinkedHashMap<>(part.next());
        if (isSearch && !next.isEmpty()) {
            next.put("found", "" + foundSoFar);
        }
        long from = request.from().orElse(0);
        String previous =
                !isSearch && from > 0
                        ? Links.query(
                                request.with("from", "" + Math.max(0, from - request.limit())))
                        : "";
        JobsPage.Progress progress =
                new JobsPage.Progress(isSearch, foundSoFar, part.looked(), part.among());
        return new JobsPage(
                shell,
                title,
                path,
                kind == Kind.SET,
                part.total(),
                request.fields(),
                part.found(),
                progress,
                Links.query(next),
                previous,
                here(call, request),
                kind == Kind.PAUSED_QUEUE);
    }

    /// A kind of list.
    private enum Kind {
        SET,
        QUEUE,
        PAUSED_QUEUE
    }

    /// The fields with which this page is shown again.
    private static Map<String, String> here(Call call, ListRequest request) {
        Map<String, String> here = new LinkedHashMap<>(request.fields());
        request.from().ifPresent(from -> here.put("from", "" + from));
        String cursor = call.query().getOrDefault("cursor", List.of("")).getFirst();
        if (cursor.matches("\\d{1,20}")) {
            here.put("cursor", cursor);
        }
        return here;
    }

    /// How many the parts before have found; a link says so.
    private static long foundBefore(Call call) {
        String found = call.query().getOrDefault("found", List.of("")).getFirst();
        return found.matches("\\d{1,12}") ? Long.parseLong(found) : 0;
    }

    /// The entry of a set with this key, see `EntryKey`.
    Optional<JobPage> entry(Shell shell, JobSet set, String shown, String key) {
        return EntryKey.parse(key)
                .flatMap(wanted ->
                        desks.read(desk -> desk.jobs().at(set, wanted).map(JobEntry::shown)))
                .map(entry -> new JobPage(shell, set, shown, entry));
    }

    /// The bytes of that entry, without what rules hide.
    Optional<byte[]> payload(JobSet set, String key) {
        return EntryKey.parse(key)
                .flatMap(wanted -> desks.read(desk -> desk.jobs().at(set, wanted)))
                .map(entry -> entry.job().shownBytes());
    }
}
