package dev.mawashi.pages;

import dev.mawashi.inspect.JobEntry;
import dev.mawashi.inspect.JobView;
import dev.mawashi.wire.JobSet;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A step in the life of a job, as far as its payload says. A payload keeps the times of the first
/// and of the last failure only (docs/formats/sidekiq.md, "Job payload"), so those between are
/// shown by their number.
///
/// @param what happened, or is to happen
/// @param at when; empty where the payload does not say
public record Attempt(String what, Optional<Instant> at) {
    private static final String GIVEN_UP = "given up";

    /// Steps in the order in which they come.
    static List<Attempt> of(JobEntry entry, JobSet set) {
        JobView job = entry.job();
        List<Attempt> all = new ArrayList<>();
        add(all, "created", job.time("created_at"));
        add(all, "enqueued last", job.time("enqueued_at"));
        if (job.retryCount().isPresent()) {
            failures(all, job, job.retryCount().getAsInt() + 1);
        }
        all.add(new Attempt(next(job, set), entry.at()));
        return all;
    }

    public boolean isBad() {
        return what.endsWith("failed") || what.equals(GIVEN_UP);
    }

    private static void add(List<Attempt> all, String what, Optional<Instant> at) {
        at.ifPresent(time -> all.add(new Attempt(what, Optional.of(time))));
    }

    private static void failures(List<Attempt> all, JobView job, int failed) {
        all.add(new Attempt("try 1 failed", job.time("failed_at")));
        if (failed > 2) {
            int last = failed - 1;
            String between = last == 2 ? "try 2 failed" : "tries 2 to " + last + " failed";
            all.add(new Attempt(between, Optional.empty()));
        }
        if (failed > 1) {
            all.add(new Attempt("try " + failed + " failed", job.time("retried_at")));
        }
    }

    private static String next(JobView job, JobSet set) {
        return switch (set) {
            case SCHEDULE -> "runs";
            case DEAD -> GIVEN_UP;
            case RETRY -> "try " + (job.retryCount().orElse(-1) + 2) + most(job);
        };
    }

    /// ` of 6`; nothing where the job leaves it to the process how often it may run.
    private static String most(JobView job) {
        String retry = job.plain("retry");
        return retry.matches("\\d{1,6}") ? " of " + (Integer.parseInt(retry) + 1) : "";
    }
}
