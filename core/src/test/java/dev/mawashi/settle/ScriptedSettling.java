package dev.mawashi.settle;

import dev.mawashi.broker.SettleReport;
import dev.mawashi.broker.Settled;
import dev.mawashi.broker.Settling;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import java.util.stream.Collectors;

/// A `Settling` whose answers are written down beforehand; without one it settles everything. A
/// round trip can be held back until `release`.
final class ScriptedSettling implements Settling {
    private final List<List<Settled>> calls = Collections.synchronizedList(new ArrayList<>());
    private final Deque<Function<List<Settled>, SettleReport>> answers = new ArrayDeque<>();
    private final Semaphore roundTrips = new Semaphore(0);
    private final List<Long> settledTokens = Collections.synchronizedList(new ArrayList<>());
    private volatile boolean isHeld;
    private volatile boolean isClosed;

    /// Answers the next round trip that has no answer yet. To be called before the settler starts.
    ScriptedSettling thenAnswer(Function<List<Settled>, SettleReport> answer) {
        answers.add(answer);
        return this;
    }

    ScriptedSettling held() {
        isHeld = true;
        return this;
    }

    /// Lets one held round trip go.
    void release() {
        roundTrips.release();
    }

    void releaseAll() {
        isHeld = false;
        roundTrips.release(1_000);
    }

    List<List<Settled>> calls() {
        synchronized (calls) {
            return List.copyOf(calls);
        }
    }

    boolean isClosed() {
        return isClosed;
    }

    @Override
    public SettleReport settle(List<Settled> settled) {
        calls.add(List.copyOf(settled));
        if (isHeld) {
            roundTrips.acquireUninterruptibly();
        }
        Function<List<Settled>, SettleReport> answer = answers.poll();
        SettleReport report = answer == null ? done(0) : answer.apply(settled);
        Set<Long> refused =
                report.refused().stream()
                        .map(one -> one.settled().lease().token())
                        .collect(Collectors.toSet());
        settled.stream()
                .map(one -> one.lease().token())
                .filter(token -> !refused.contains(token))
                .forEach(settledTokens::add);
        return report;
    }

    /// The tokens of what was settled, in that order.
    List<Long> settled() {
        synchronized (settledTokens) {
            return List.copyOf(settledTokens);
        }
    }

    static SettleReport done(int late) {
        return new SettleReport(late, List.of(), 0, List.of());
    }

    @Override
    public void close() {
        isClosed = true;
    }
}
