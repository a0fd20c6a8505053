package dev.mawashi.cli;

import dev.mawashi.inspect.JobQuery;
import dev.mawashi.inspect.JobReader;
import dev.mawashi.wire.JobSet;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// `mawashi retries`, `scheduled` and `dead`: lists the jobs of a set.
@Command
final class SetListCommand implements Callable<Integer> {
    private final CommandContext context;
    private final JobSet set;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Mixin private RedisOption redis = new RedisOption();

    @Mixin private JobFilter filter = new JobFilter();

    @Mixin private SetFilter setFilter = new SetFilter();

    @Mixin private Listing listing = new Listing();

    SetListCommand(CommandContext context, JobSet set) {
        this.context = context;
        this.set = set;
    }

    @Override
    public Integer call() throws Exception {
        int limit = listing.limit();
        JobQuery query = filter.ofSet(setFilter, List.of(), context.clock().instant()).query();
        try (JobReader reader = new JobReader(context.broker(redis).connect("inspect"))) {
            return WrongKey.explain(set.key(), "sorted set", () -> list(reader, query, limit));
        }
    }

    private int list(JobReader reader, JobQuery query, int limit) {
        PrintWriter err = spec.commandLine().getErr();
        long size = reader.size(set);
        JobReader.Found found;
        try (Search search = new Search(err, context.terminal(), size)) {
            found =
                    query.isAll()
                            ? new JobReader.Found(reader.first(set, limit), size)
                            : reader.find(set, query, limit, search);
        }
        PrintWriter out = spec.commandLine().getOut();
        if (listing.isJson()) {
            out.print(listing.json(found.first()));
        } else if (!found.first().isEmpty()) {
            out.print(JobRows.table(set, found.first()));
        }
        out.flush();
        reportRest(found, err);
        return Main.DONE;
    }

    /// Reports on stderr what the list leaves out, so that programs can read the list on stdout.
    static void reportRest(JobReader.Found found, PrintWriter err) {
        long shown = found.first().size();
        if (found.total() == 0) {
            err.println("no jobs");
        } else if (found.total() > shown) {
            err.printf(
                    "%s of %s jobs, see more with --limit%n",
                    TextTable.number(shown), TextTable.number(found.total()));
        }
    }
}
