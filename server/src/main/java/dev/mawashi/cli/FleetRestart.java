package dev.mawashi.cli;

import dev.mawashi.fleet.ProcessReader;
import dev.mawashi.fleet.ProcessRecord;
import dev.mawashi.fleet.ProgramTurn;
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
    private static final int LISTED_MAX = 10;

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
    static ProgramTurn keep(ProgramTurn turn) {
        turn.keep()
                .ifPresent(other -> {
                    throw new CommandFailure(
                            TextTable.printable(
                                    "%s began to restart all processes at %s: wait for the end (the turn, key %s, lapses %s s after its holder has died)"
                                            .formatted(
                                                    known(other.by()),
                                                    known(other.since()),
                                                    Keys.ROLLING,
                                                    ProgramTurn.LENGTH.toSeconds())));
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
        goThrough(fresh());
        if (restarted.isEmpty() && gone.isEmpty()) {
            throw new CommandFailure("there is no process to restart: start one with mawashi run");
        }
        goThrough(fresh());
        say(
                "%s restarted%s%s"
                        .formatted(
                                restarted.size(),
                                gone.isEmpty() ? "" : ", " + gone.size() + " gone",
                                leftOut == 0 ? "" : ", " + leftOut + " left out"));
    }

    /// The processes that were not there before.
    private List<ProcessRecord> fresh() {
        return processes.processes().stream().filter(one -> seen.add(one.identity())).toList();
    }

    /// @return "" for one that is to be restarted
    private static String reasonToLeave(ProcessRecord process) {
        if (!process.isMawashi()) {
            return "it is a process of Sidekiq's, or of an older Mawashi";
        }
        return process.isQuiet() ? "it is quiet and runs no new jobs" : "";
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
            String taken = restart.awaitOther(identity);
            if (taken.isEmpty()) {
                // Where a new process takes the place, it has come with the new code.
                seen.add(restart.complete(identity, restart.begin(identity)));
                restarted.add(identity);
            } else {
                gone.add(identity);
                say(identity + ": gone, its place is taken by " + taken);
            }
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
