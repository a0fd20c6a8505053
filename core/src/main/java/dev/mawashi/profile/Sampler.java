package dev.mawashi.profile;

import dev.mawashi.fleet.Asking;
import dev.mawashi.fleet.Question;
import dev.mawashi.fleet.Reply;
import dev.mawashi.fleet.StackView;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/// Asks processes again and again where their running jobs are. One thread's.
///
/// Each question has a process look at a few of its jobs, which costs it about a millisecond; a
/// child under load answers up to ten times per second, since the job's thread must let it.
public final class Sampler {
    private static final Duration INTERVAL = Duration.ofMillis(20);
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final Asking asking;
    private final Profile profile = new Profile();
    private final Map<String, String> problems = new TreeMap<>();

    public Sampler(Asking asking) {
        this.asking = asking;
    }

    /// Samples one job, until it ends or the time is up.
    ///
    /// @param slot of its process
    public void job(String identity, String slot, Duration time) {
        repeat(
                time,
                () -> {
                    Reply reply = asking.ask(identity, Question.Kind.STACK, slot, PATIENCE);
                    if (reply instanceof Reply.Answered told) {
                        profile.add(StackView.of(told.text()));
                        return true;
                    }
                    problems.put(identity, reply.problem());
                    return false;
                });
    }

    /// Samples running jobs of these processes.
    ///
    /// @param identities at most `Asking.TOGETHER_MAX`
    /// @param jobClass of the jobs; "" for all
    public void jobs(List<String> identities, String jobClass, Duration time) {
        String about = Asking.canBeAbout(jobClass) ? jobClass : "";
        Set<String> asked = new TreeSet<>(identities);
        repeat(
                time,
                () -> {
                    asking.askAll(List.copyOf(asked), Question.Kind.STACKS, about, PATIENCE)
                            .forEach((identity, reply) -> take(identity, reply, jobClass));
                    // One that does not answer would hold up each look at the others.
                    asked.removeAll(problems.keySet());
                    return !asked.isEmpty();
                });
    }

    private void take(String identity, Reply reply, String jobClass) {
        if (reply instanceof Reply.Answered told) {
            StackView.listOf(told.text()).stream()
                    .filter(stack -> jobClass.isEmpty() || stack.jobClass().equals(jobClass))
                    .forEach(profile::add);
        } else {
            problems.put(identity, reply.problem());
        }
    }

    /// @param look gives false when another would be in vain
    private static void repeat(Duration time, BooleanSupplier look) {
        long end = System.nanoTime() + time.toNanos();
        long next = System.nanoTime();
        while (next < end && look.getAsBoolean()) {
            next = Math.max(System.nanoTime(), next + INTERVAL.toNanos());
            LockSupport.parkNanos(next - System.nanoTime());
        }
    }

    public Profile profile() {
        return profile;
    }

    /// Why processes gave no more samples, by identity. That a job has ended is one such reason.
    public Map<String, String> problems() {
        return Map.copyOf(problems);
    }
}
