package dev.mawashi.broker;

import dev.mawashi.redis.Script;
import dev.mawashi.wire.QueueLayout;

/// At which ends of their lists queues are worked on. The scripts are written for Sidekiq, whose
/// next job is the rightmost; a Resque queue is the same in a mirror.
enum Sides {
    NEXT_IS_RIGHT,
    NEXT_IS_LEFT;

    static Sides of(QueueLayout layout) {
        return layout.nextIsLeft() ? NEXT_IS_LEFT : NEXT_IS_RIGHT;
    }

    Script script(String name) {
        Script script = Script.beside(Sides.class, name);
        return switch (this) {
            case NEXT_IS_RIGHT -> script;
            case NEXT_IS_LEFT -> script.mirrored();
        };
    }
}
