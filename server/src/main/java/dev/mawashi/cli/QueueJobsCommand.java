package dev.mawashi.cli;

import dev.mawashi.inspect.JobQuery;
import dev.mawashi.inspect.JobReader;
import dev.mawashi.wire.Keys;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `mawashi queues jobs`.
@Command(
        description = "Lists the jobs that wait in a queue, the next to run first.",
        footer = {
            "  mawashi queues jobs default",
            "  mawashi queues jobs default --class Report --text '\"year\":2026' --json",
        })
final class QueueJobsCommand implements Callable<Integer> {
    private final CommandContext context;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "QUEUE", description = "Name of the queue.")
    private String queue = "";

    @Mixin private RedisOption redis = new RedisOption();

    @Mixin private JobFilter filter = new JobFilter();

    @Mixin private Listing listing = new Listing();

    QueueJobsCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws Exception {
        int limit = listing.limit();
        JobQuery query = filter.ofQueue(List.of(), context.clock().instant()).query();
        try (JobReader reader = new JobReader(context.broker(redis).connect("inspect"))) {
            return WrongKey.explain(Keys.queue(queue), "list", () -> list(reader, query, limit));
        }
    }

    private int list(JobReader reader, JobQuery query, int limit) {
        PrintWriter err = spec.commandLine().getErr();
        long size = reader.size(queue);
        JobReader.Found found;
        try (Search search = new Search(err, context.terminal(), size)) {
            found =
                    query.isAll()
                            ? new JobReader.Found(reader.first(queue, limit), size)
                            : reader.find(queue, query, limit, search);
        }
        PrintWriter out = spec.commandLine().getOut();
        if (listing.isJson()) {
            out.print(listing.json(found.first()));
        } else if (!found.first().isEmpty()) {
            out.print(JobRows.table(found.first()));
        }
        out.flush();
        SetListCommand.reportRest(found, err);
        return Main.DONE;
    }
}
