package dev.mawashi.tables;

import static dev.mawashi.redis.RedisConnection.ascii;

import dev.mawashi.wire.JobSet;
import dev.mawashi.wire.Keys;
import dev.mawashi.wire.QueueLayout;
import dev.mawashi.wire.ResqueKeys;
import java.util.Locale;
import java.util.Objects;

/// A place whose contents a migration moves to the same place of another Redis.
///
/// @param layout of the queues among which it is
/// @param name of a queue or failure list; of others their key
public record MigratedPlace(Kind kind, QueueLayout layout, String name) {
    /// Kinds of places.
    public enum Kind {
        /// A queue: its jobs go in their order.
        LIST,
        /// A sorted set: its entries keep their scores.
        SET,
        /// A counter: its number is added to the other's.
        COUNT,
        /// A failure list of Resque's: its records go behind those there, the oldest first.
        FAILED,
        /// The delayed jobs of resque-scheduler: each keeps its second.
        DELAYED;

        /// The word for it in a batch, such as `list`.
        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public MigratedPlace {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(layout, "layout");
        Objects.requireNonNull(name, "name");
    }

    public static MigratedPlace queue(QueueLayout layout, String queue) {
        return new MigratedPlace(Kind.LIST, layout, queue);
    }

    public static MigratedPlace set(JobSet set) {
        return new MigratedPlace(Kind.SET, QueueLayout.SIDEKIQ, set.key());
    }

    public static MigratedPlace count(QueueLayout layout, String key) {
        return new MigratedPlace(Kind.COUNT, layout, key);
    }

    /// Payloads that are too large to be read.
    public static MigratedPlace oversized(ResqueKeys keys) {
        return new MigratedPlace(Kind.SET, keys.layout(), keys.layout().oversized());
    }

    /// @param list its name, such as `failed`
    public static MigratedPlace failed(ResqueKeys keys, String list) {
        return new MigratedPlace(Kind.FAILED, keys.layout(), list);
    }

    public static MigratedPlace delayed(ResqueKeys keys) {
        return new MigratedPlace(Kind.DELAYED, keys.layout(), keys.delayedSchedule());
    }

    public boolean isQueue() {
        return kind == Kind.LIST;
    }

    /// The keys of the Resque that it belongs to.
    ResqueKeys resque() {
        return ResqueKeys.ofQueues(layout.prefix());
    }

    /// The same place of a Resque of another namespace.
    MigratedPlace in(QueueLayout other) {
        ResqueKeys keys = ResqueKeys.ofQueues(other.prefix());
        String there =
                switch (kind) {
                    case LIST, FAILED -> name;
                    case SET -> other.oversized();
                    case COUNT ->
                            name.equals(resque().statFailed())
                                    ? keys.statFailed()
                                    : keys.statProcessed();
                    case DELAYED -> keys.delayedSchedule();
                };
        return new MigratedPlace(kind, other, there);
    }

    /// Its key, which is also what people know it by.
    public String key() {
        return switch (kind) {
            case LIST -> layout.queue(name);
            case FAILED -> resque().failureList(name);
            case SET, COUNT, DELAYED -> name;
        };
    }

    /// The set that a list is named in, where it is to be.
    String names() {
        return kind == Kind.FAILED ? resque().failedQueues() : layout.names();
    }

    /// Its name there; "" where it has none.
    String listed() {
        return switch (kind) {
            case LIST -> name;
            case FAILED -> key().equals(resque().failed()) ? "" : name;
            case SET, COUNT, DELAYED -> "";
        };
    }

    byte[] bytes() {
        return Keys.bytes(key());
    }

    /// The word for it in take_batch.lua and others.
    byte[] word() {
        return ascii((kind == Kind.FAILED ? Kind.LIST : kind).word());
    }

    /// Where the next job of a queue is, or the oldest failure.
    byte[] nextSide() {
        return ascii(layout.nextIsLeft() ? "LEFT" : "RIGHT");
    }

    /// Where a list takes new entries.
    byte[] newSide() {
        return ascii(layout.nextIsLeft() ? "RIGHT" : "LEFT");
    }
}
