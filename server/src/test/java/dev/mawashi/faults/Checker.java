package dev.mawashi.faults;

import dev.mawashi.acceptance.Ledger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// Tells from the ledgers what came of the jobs. All times are nanoseconds of the clock that the
/// machine's processes share.
final class Checker {
    /// Less than any lease, so that what begins within it was not recovered.
    private static final long AT_ONCE_NANOS = Duration.ofSeconds(1).toNanos();

    private final Map<String, List<Run>> runs = new TreeMap<>();
    private final Set<String> invoked = new HashSet<>();
    private final Set<String> acknowledged = new TreeSet<>();
    private final Map<Long, Long> lastSeen = new HashMap<>();
    private final List<Fault> faults;
    private final List<Long> repairs;
    private final Map<String, Integer> places;
    private final Set<String> failed;

    /// What a fault took out of hand.
    ///
    /// @param at when it began
    record Fault(long at, Set<String> inHand) {}

    /// What is in Redis at the end.
    ///
    /// @param places how often each job is there, by jid
    /// @param failed jids in `retry` and `dead`
    record Left(Map<String, Integer> places, Set<String> failed) {}

    /// @param until when it ended, or as far as is known when its process was last alive
    private record Run(long pid, long from, long until, boolean isDone, boolean isOpen) {}

    /// @param deaths of processes that the rig has killed, by pid
    /// @param repairs when what had been broken was whole again
    Checker(
            List<Ledger.Line> lines,
            Map<Long, Long> deaths,
            List<Fault> faults,
            List<Long> repairs,
            Left left) {
        this.faults = List.copyOf(faults);
        this.repairs = List.copyOf(repairs);
        this.places = left.places();
        this.failed = left.failed();
        List<Ledger.Line> steps = new ArrayList<>();
        for (Ledger.Line line : lines) {
            switch (line.step()) {
                case "invoke" -> invoked.add(line.subject());
                case "ok" -> acknowledged.add(line.subject());
                case "begin", "end", "cut" -> {
                    steps.add(line);
                    lastSeen.merge(line.pid(), at(line), Math::max);
                }
                default -> {
                    // The producer's doubts, and what the app has noted besides.
                }
            }
        }
        lastSeen.putAll(deaths);
        steps.sort(Comparator.comparingLong(Checker::at));
        steps.forEach(this::add);
    }

    private static long at(Ledger.Line line) {
        String rest = line.rest();
        int space = rest.indexOf(' ');
        return Long.parseLong(space < 0 ? rest : rest.substring(0, space));
    }

    private void add(Ledger.Line line) {
        List<Run> of = runs.computeIfAbsent(line.subject(), _ -> new ArrayList<>());
        if (line.step().equals("begin")) {
            of.add(
                    new Run(
                            line.pid(),
                            at(line),
                            lastSeen.getOrDefault(line.pid(), at(line)),
                            false,
                            true));
            return;
        }
        for (int i = of.size() - 1; i >= 0; i--) {
            Run run = of.get(i);
            if (run.isOpen() && run.pid() == line.pid()) {
                boolean isDone = line.step().equals("end");
                of.set(i, new Run(run.pid(), run.from(), at(line), isDone, false));
                return;
            }
        }
    }

    Findings findings() {
        Set<String> lost = new TreeSet<>(acknowledged);
        lost.removeAll(places.keySet());
        lost.removeIf(jid -> dones(jid) > 0);
        Set<String> again = new HashSet<>();
        long recovery = recovery(again);
        return new Findings(
                acknowledged.size(),
                lost,
                (int) runs.keySet().stream().filter(jid -> !invoked.contains(jid)).count(),
                (int) runs.keySet().stream().filter(jid -> dones(jid) > 1).count(),
                running().size(),
                strays(),
                (int) runs.values().stream().filter(Checker::overlaps).count(),
                outOfOrder(),
                again.size(),
                (int)
                        places.entrySet().stream()
                                .filter(place -> place.getValue() + dones(place.getKey()) > 1)
                                .count(),
                failed.size(),
                Duration.ofNanos(recovery));
    }

    private long dones(String jid) {
        return runs.getOrDefault(jid, List.of()).stream().filter(Run::isDone).count();
    }

    /// What had begun and was in hand at a fault.
    private Set<String> running() {
        Set<String> running = new HashSet<>();
        for (Fault fault : faults) {
            for (String jid : fault.inHand()) {
                if (firstBegin(runs.getOrDefault(jid, List.of()), Long.MIN_VALUE)
                        < fault.at() + AT_ONCE_NANOS) {
                    running.add(jid);
                }
            }
        }
        return running;
    }

    private int strays() {
        Set<String> running = running();
        return (int)
                runs.keySet().stream()
                        .filter(jid -> dones(jid) > 1 && !running.contains(jid))
                        .count();
    }

    private static boolean overlaps(List<Run> of) {
        for (int i = 1; i < of.size(); i++) {
            long start = of.get(i).from();
            if (of.subList(0, i).stream().anyMatch(run -> run.until() > start)) {
                return true;
            }
        }
        return false;
    }

    /// The producer numbers its jobs.
    private int outOfOrder() {
        List<Map.Entry<String, List<Run>>> begun = new ArrayList<>(runs.entrySet());
        begun.sort(Comparator.comparingLong(entry -> entry.getValue().getFirst().from()));
        String latest = "";
        int count = 0;
        for (Map.Entry<String, List<Run>> entry : begun) {
            if (entry.getKey().compareTo(latest) < 0) {
                count++;
            } else {
                latest = entry.getKey();
            }
        }
        return count;
    }

    /// @param again gets the jobs that ran again
    private long recovery(Set<String> again) {
        long longest = 0;
        for (Fault fault : faults) {
            for (String jid : fault.inHand()) {
                List<Run> of = runs.getOrDefault(jid, List.of());
                if (of.stream().anyMatch(run -> run.isDone() && run.until() < fault.at())) {
                    continue;
                }
                long next = firstBegin(of, fault.at());
                if (next < Long.MAX_VALUE) {
                    again.add(jid);
                    longest = Math.max(longest, next - fault.at());
                }
            }
        }
        for (long repair : repairs) {
            long next = Long.MAX_VALUE;
            for (List<Run> of : runs.values()) {
                next = Math.min(next, firstBegin(of, repair));
            }
            longest = next < Long.MAX_VALUE ? Math.max(longest, next - repair) : longest;
        }
        return longest;
    }

    private static long firstBegin(List<Run> of, long after) {
        return of.stream()
                .mapToLong(Run::from)
                .filter(from -> from > after)
                .min()
                .orElse(Long.MAX_VALUE);
    }
}
