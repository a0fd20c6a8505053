package dev.mawashi.cli;

import dev.mawashi.fleet.ProcessReader;
import dev.mawashi.fleet.ProcessRecord;
import dev.mawashi.fleet.RollingTurn;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.wire.Keys;
import java.io.PrintWriter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/// Restarts the processes of the fleet one after the other, and stops at the first that fails. One
/// program does so at a time.
final class FleetRestart {
    /// The record of a process that died lasts for 60 s; one answer is awaited for 5 s.
    private static final int LATE_MAX = 15;

    private static final int LISTED_MAX = 10;

    /// Runners whose code is in the process itself.
    private static final Set<String> OWN_RUNNERS = Set.of("jruby", "java");

    private static final String UNRENEWABLE =
            "its jobs run on jruby or java, in the process itself";

    private final ProcessReader processes;
    private final ProcessRestart restart;
    private final PrintWriter out;
    private final PrintWriter err;

    private final Set<String> seen = new HashSet<>();
    private final Deque<String> waiting = new ArrayDeque<>();
    private final List<String> restarted = new ArrayList<>();
    private final List<String> gone = new ArrayList<>();
    private int leftOut;

    /// @param restart which keeps the turn at each look
    /// @param err for the lines of a backtrace
    FleetRestart(
            ProcessReader processes, ProcessRestart restart, PrintWriter out, PrintWriter err) {
        this.processes = processes;
        this.restart = restart;
        this.out = out;
        this.err = err;
    }

    /// Takes or keeps the turn.
    ///
    /// @return the same
    /// @throws CommandFailure when it is another's
    static RollingTurn keep(RollingTurn turn) {
        turn.keep()
                .ifPresent(other -> {
                    throw new CommandFailure(
                            TextTable.printable(
                                    "%s began to restart all processes at %s: wait for the end (the turn, key %s, lapses %d s after its holder has died)"
                                            .formatted(
                                                    known(other.by()),
                                                    known(other.since()),
                                                    Keys.ROLLING,
                                                    RollingTurn.LENGTH.toSeconds())));
                });
        return turn;
    }

    private static String known(String text) {
        return text.isEmpty() ? "?" : text;
    }

    /// Goes through the live processes, and then through those that came meanwhile.
    ///
    /// @throws CommandFailure when there is none, one cannot be restarted, or one has failed
    void run() {
        List<ProcessRecord> first = fresh();
        requireRenewable(first);
        goThrough(first);
        if (seen.size() == leftOut) {
            throw new CommandFailure("there is no process to restart: start one with mawashi run");
        }
        goThrough(fresh());
        say(
                "%d restarted%s%s"
                        .formatted(
                                restarted.size(),
                                gone.isEmpty() ? "" : ", " + gone.size() + " gone",
                                leftOut == 0 ? "" : ", " + leftOut + " left out"));
    }

    /// The processes that were not there before.
    private List<ProcessRecord> fresh() {
        return processes.processes().stream().filter(one -> seen.add(one.identity())).toList();
    }

    private static void requireRenewable(List<ProcessRecord> fresh) {
        List<String> others =
                fresh.stream()
                        .filter(one -> reasonToLeave(one).equals(UNRENEWABLE))
                        .map(ProcessRecord::identity)
                        .toList();
        if (!others.isEmpty()) {
            throw new CommandFailure(
                    TextTable.printable(
                            "nothing is restarted, since jobs of "
                                    + listed(others)
                                    + " run on jruby or java, in the process itself: restart the"
                                    + " others by their identities"));
        }
    }

    /// @return "" for one that is to be restarted
    private static String reasonToLeave(ProcessRecord process) {
        if (!process.isMawashi()) {
            return "it is a process of Sidekiq's, or of an older Mawashi";
        }
        if (process.isQuiet()) {
            return "it is quiet and runs no new jobs";
        }
        return process.own().capsules().stream()
                        .anyMatch(capsule -> OWN_RUNNERS.contains(capsule.runner()))
                ? UNRENEWABLE
                : "";
    }

    private void goThrough(List<ProcessRecord> some) {
        for (ProcessRecord one : some) {
            String reason = reasonToLeave(one);
            if (reason.isEmpty()) {
                waiting.add(one.identity());
            } else {
                leftOut++;
                say(one.identity() + ": left out, " + reason);
            }
        }
        while (!waiting.isEmpty()) {
            restart(waiting.element());
            waiting.remove();
        }
    }

    private void restart(String identity) {
        try {
            restart.awaitOther(identity, LATE_MAX);
            restart.complete(identity, restart.begin(identity));
            restarted.add(identity);
        } catch (ProcessRestart.Failed failed) {
            if (!failed.isGone()) {
                failed.details().forEach(line -> err.println(TextTable.printable(line)));
                throw stopped(identity, failed);
            }
            gone.add(identity);
            say(identity + ": gone");
        } catch (CommandFailure | RedisFailure failure) {
            throw stopped(identity, failure);
        }
    }

    private CommandFailure stopped(String identity, RuntimeException failure) {
        String reason = String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
        return new CommandFailure(
                TextTable.printable(
                        "stopped at %s: %s; restarted: %s; not restarted: %s%s"
                                .formatted(
                                        identity,
                                        reason,
                                        listed(restarted),
                                        listed(waiting),
                                        gone.isEmpty() ? "" : "; gone: " + listed(gone))));
    }

    private static String listed(Collection<String> identities) {
        String some = identities.stream().limit(LISTED_MAX).collect(Collectors.joining(", "));
        int more = identities.size() - LISTED_MAX;
        return some.isEmpty() ? "none" : more > 0 ? some + " and " + more + " more" : some;
    }

    private void say(String line) {
        out.println(TextTable.printable(line));
        out.flush();
    }
}
