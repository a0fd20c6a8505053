package dev.mawashi.ruby;

import dev.mawashi.lifecycle.Loop;
import dev.mawashi.lifecycle.Service;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/// The thread on which the app's blocks for `:heartbeat` and `:beat` run. It is apart from the one
/// that beats, so that a slow block delays no beat and no lease; beats that come while blocks run
/// call them once more afterwards, however many there were.
public final class BeatBlocks implements Service {
    private static final System.Logger LOG = System.getLogger(BeatBlocks.class.getName());

    private final RubyRuntime ruby;
    private final Loop loop = Loop.platform("events", this::step);
    private final AtomicBoolean hasBeaten = new AtomicBoolean();
    private final AtomicBoolean isRecordNew = new AtomicBoolean();

    public BeatBlocks(RubyRuntime ruby) {
        this.ruby = ruby;
    }

    /// Has the blocks called soon. Never waits.
    ///
    /// @param isNew whether Redis had no record of this process before the beat
    public void onBeat(boolean isNew) {
        if (isNew) {
            isRecordNew.set(true);
        }
        hasBeaten.set(true);
        loop.wake();
    }

    @Override
    public void start() {
        loop.start();
    }

    private Duration step() {
        if (hasBeaten.getAndSet(false)) {
            if (isRecordNew.getAndSet(false)) {
                fire(LifecycleEvent.HEARTBEAT);
            }
            fire(LifecycleEvent.BEAT);
        }
        return Loop.UNTIL_WOKEN;
    }

    private void fire(LifecycleEvent event) {
        try {
            ruby.fire(event);
        } catch (Throwable e) {
            // The error handlers see to what Ruby code rescues; this is an exit, a kill or worse.
            LOG.log(Level.ERROR, "a block for :" + event.symbol() + " ended with " + e);
            ruby.leaveThread();
        }
    }

    /// Waits for blocks that run; one that does not end is left to itself.
    @Override
    public void stop(Duration patience) {
        loop.stop(patience);
    }
}
