package dev.mawashi.broker;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/// What must be true of each job of a simulation: it is somewhere until it has ended, and in one
/// place only. A server that goes back may bring a job back that a process holds or has ended; so
/// many copies of it are allowed then, and no more.
final class Ledger {
    private final Map<String, Job> jobs = new HashMap<>();
    private Map<String, List<String>> saved = Map.of();

    private static final class Job {
        /// In so many places it may be at most; each end of a run uses one up.
        private int copiesMax = 1;

        /// It has not ended since it was enqueued, or since it was brought back.
        private boolean mustBe = true;
    }

    void enqueued(String jid) {
        jobs.put(jid, new Job());
    }

    /// A run of it ended well, and the server has noted that.
    void ended(String jid) {
        Job job = job(jid);
        job.copiesMax--;
        job.mustBe = false;
    }

    private Job job(String jid) {
        return requireNonNull(jobs.get(jid), jid);
    }

    /// Two of its copies became one.
    void joined(String jid) {
        job(jid).copiesMax--;
    }

    /// @param where each job is
    void saved(Map<String, List<String>> where) {
        saved = Map.copyOf(where);
    }

    /// A job that is not in what was saved has ended before, or the server itself lost it.
    ///
    /// @param heldElsewhere jids of jobs that processes hold, and that were elsewhere or nowhere at
    ///   the time of the saving; one for each
    void wentBack(List<String> heldElsewhere) {
        jobs.forEach((jid, job) -> {
            job.copiesMax = saved.getOrDefault(jid, List.of()).size();
            job.mustBe = job.copiesMax > 0;
        });
        heldElsewhere.forEach(jid -> job(jid).copiesMax++);
    }

    void check(Map<String, List<String>> where, Supplier<String> story) {
        where.forEach((jid, places) -> {
            Job job = jobs.get(jid);
            if (job == null || places.size() > job.copiesMax) {
                int most = job == null ? 0 : job.copiesMax;
                assertThat(places).as(story.get() + jid).hasSizeLessThanOrEqualTo(most);
            }
        });
        Set<String> present = where.keySet();
        jobs.forEach((jid, job) -> {
            if (job.mustBe && !present.contains(jid)) {
                assertThat(present).as(story.get()).contains(jid);
            }
        });
    }
}
