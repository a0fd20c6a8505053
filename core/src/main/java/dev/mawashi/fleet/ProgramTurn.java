package dev.mawashi.fleet;

import static dev.mawashi.redis.RedisConnection.ascii;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.redis.Script;
import dev.mawashi.wire.JsonFields;
import dev.mawashi.wire.JsonObject;
import dev.mawashi.wire.Keys;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The turn to do what one program does at a time: to restart the processes of the fleet one after
/// the other, or to migrate their jobs. It is a key that expires: whoever has it keeps it again and
/// again, and once that program has died the turn lapses. One thread's.
///
/// For a moment two may have it, since the first stood still for longer than the turn lasts. That
/// does no harm: a process takes one restart at a time, and take_batch.lua looks at the key.
public final class ProgramTurn {
    /// How long it lasts after it was kept for the last time.
    public static final Duration LENGTH = Duration.ofSeconds(30);

    private static final Script TURN = Script.beside(ProgramTurn.class, "turn.lua");

    private final RedisConnection connection;
    private final List<byte[]> key;
    private final String own;

    /// @param key of the turn, such as `Keys.ROLLING`
    /// @param id unlike that of any other program
    /// @param by who wants the turn, for others to read
    public ProgramTurn(RedisConnection connection, String key, String id, String by, Instant now) {
        this.connection = connection;
        this.key = List.of(Keys.bytes(key));
        own =
                new JsonFields()
                        .text("id", id)
                        .text("by", by)
                        .text("since", now.truncatedTo(ChronoUnit.SECONDS).toString())
                        .toString();
    }

    /// Whoever has the turn, in the words that they left.
    ///
    /// @param since a time in UTC
    public record Holder(String by, String since) {}

    /// Takes the turn where it is free, and keeps it where it is ours.
    ///
    /// @return who else has it; empty when it is ours
    /// @throws RedisFailure when Redis cannot be reached, or refuses
    public Optional<Holder> keep() {
        Object holder = eval(Long.toString(LENGTH.toMillis()));
        String text = holder instanceof byte[] b ? new String(b, StandardCharsets.UTF_8) : "";
        if (text.equals(own)) {
            return Optional.empty();
        }
        JsonObject fields = JsonObject.of(text);
        return Optional.of(new Holder(fields.text("by"), fields.text("since")));
    }

    /// What the key holds while the turn is ours.
    public String own() {
        return own;
    }

    /// Ends it, if it is ours.
    public void leave() {
        try {
            Object _ = eval("0");
        } catch (RedisFailure _) {
            // It lapses.
        }
    }

    private @Nullable Object eval(String millis) {
        return connection.eval(TURN, key, List.of(RedisConnection.utf8(own), ascii(millis)));
    }
}
