package dev.mawashi.dispatch;

import dev.mawashi.broker.Lease;
import dev.mawashi.job.Outcome;
import dev.mawashi.wire.Payload;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/// The jobs that an operator has cancelled and nobody has ended yet, as far as this process knows.
///
/// One thread writes (`CancelWatch`), all others read. Nearly always there are none, and then no
/// payload is looked into.
public final class Cancelled {
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private final Queue<String> ended = new ConcurrentLinkedQueue<>();
    private final Function<Lease, String> naming;
    private volatile Set<String> names = Set.of();
    private volatile Runnable onEnd = () -> {};

    private Cancelled(Function<Lease, String> naming) {
        this.naming = naming;
    }

    /// Of jobs that are known by their jids.
    public static Cancelled byJid() {
        return new Cancelled(Cancelled::jid);
    }

    /// Of jobs that have none, so that one of their runs is cancelled.
    public static Cancelled byRun() {
        return new Cancelled(Lease::runId);
    }

    /// Says which jobs are cancelled from now on.
    public void set(Set<String> cancelled) {
        names = Set.copyOf(cancelled);
        listeners.forEach(Runnable::run);
    }

    Set<String> names() {
        return names;
    }

    /// Calls this each time that others are cancelled than before.
    void onChange(Runnable listener) {
        listeners.add(listener);
    }

    boolean has(Lease lease) {
        Set<String> now = names;
        return !now.isEmpty() && now.contains(naming.apply(lease));
    }

    private static String jid(Lease lease) {
        Payload payload = Payload.tryParse(lease.payload());
        return payload == null ? "" : Objects.requireNonNullElse(payload.text("jid"), "");
    }

    /// What came of a run, given that its job may be cancelled: one that did not succeed then is
    /// over.
    Outcome judge(Lease lease, Outcome outcome) {
        return outcome instanceof Outcome.Succeeded || !has(lease) ? outcome : Outcome.CANCELLED;
    }

    /// A job was handed to the settler with this outcome. One that was cancelled needs its mark no
    /// more, once that is settled.
    void settled(Lease lease, Outcome outcome) {
        if (outcome instanceof Outcome.Cancelled) {
            ended.add(naming.apply(lease));
            onEnd.run();
        }
    }

    /// Calls this each time that a cancelled job was handed to the settler.
    void onEnd(Runnable listener) {
        onEnd = listener;
    }

    /// The names of such jobs since the last call.
    List<String> takeEnded() {
        List<String> taken = new ArrayList<>();
        String jid = ended.poll();
        while (jid != null) {
            taken.add(jid);
            jid = ended.poll();
        }
        return taken;
    }

    void putBack(List<String> taken) {
        ended.addAll(taken);
    }
}
