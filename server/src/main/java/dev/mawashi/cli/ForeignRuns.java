package dev.mawashi.cli;

import dev.mawashi.fleet.ProcessReader;
import dev.mawashi.fleet.ProcessRecord;
import dev.mawashi.fleet.ResqueWorkReader;
import dev.mawashi.fleet.WorkView;
import dev.mawashi.inspect.InFlightReader;
import dev.mawashi.inspect.JobQuery;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.wire.ResqueKeys;
import dev.mawashi.wire.TextSearch;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/// The jobs that run in processes of Sidekiq's and workers of Resque's. They are nowhere in Redis
/// but in what these say of themselves, and nobody can take them away.
final class ForeignRuns {
    private final RedisConnection connection;
    private final ResqueKeys keys;

    ForeignRuns(RedisConnection connection, ResqueKeys keys) {
        this.connection = connection;
        this.keys = keys;
    }

    /// Those in which a text stands.
    List<InFlightReader.Holding> with(String text, JobQuery query) {
        ProcessReader reader = new ProcessReader(connection);
        Set<String> ours =
                reader.processes().stream()
                        .filter(ProcessRecord::isMawashi)
                        .map(ProcessRecord::identity)
                        .collect(Collectors.toSet());
        List<WorkView> work = new ArrayList<>(reader.work());
        work.removeIf(one -> ours.contains(one.identity()));
        // A worker of ours says by which id its run is cancelled.
        new ResqueWorkReader(connection, keys)
                .work().stream().filter(one -> one.entry().runId().isEmpty()).forEach(work::add);
        TextSearch search = new TextSearch(text);
        return work.stream()
                .filter(one -> search.test(one.job().payload()) && query.matches(one.job()))
                .map(one ->
                        new InFlightReader.Holding(
                                one.entry().queue(),
                                one.identity(),
                                0,
                                one.job().jobClass(),
                                one.job().jid()))
                .toList();
    }
}
