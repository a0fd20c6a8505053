package dev.mawashi.migrate;

import dev.mawashi.broker.RedisBroker;
import dev.mawashi.figures.Inspector;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.wire.Keys;
import dev.mawashi.wire.QueueLayout;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;

/// The two Redises of a migration.
///
/// @param from whose jobs go; a broker for the queues of the layout
/// @param to where they go
/// @param names of the two for people, without a password; the second is noted with each batch
/// @param layout of the queues that go: Sidekiq's, or a Resque's
/// @param layoutThere of these queues in the second: the same, or that of a Resque of another
///   namespace
public record Ends(
        RedisBroker from,
        RedisBroker to,
        Names names,
        QueueLayout layout,
        QueueLayout layoutThere) {
    private static final String TOKEN_SECONDS = "60";

    /// Addresses in words.
    public record Names(String from, String to) {}

    /// Sees that both are of the right kind, and not one.
    ///
    /// @throws MigrationFailure when they are not
    /// @throws RedisFailure when one is not reached, or refuses this
    void check() {
        try (RedisConnection source = from.connect("migrate");
                RedisConnection target = to.connect("migrate")) {
            checkKind(source, names.from());
            checkKind(target, names.to());
            // The first may be full, and is only read.
            String key = Keys.added(UUID.randomUUID().toString());
            target.call("SET", key, "1", "EX", TOKEN_SECONDS);
            boolean isOne = source.call("GET", key) != null;
            target.call("DEL", key);
            if (isOne && layout.equals(layoutThere)) {
                throw new MigrationFailure(
                        "%s and %s are one place: give another server, database or namespace as --to"
                                .formatted(names.from(), names.to()));
            }
            Half half = Half.of(layout, source, InstantSource.system());
            if (source.call(words("EXISTS", half.ofAnApp())) instanceof Long found && found == 0) {
                throw new MigrationFailure(
                        "there are no queues at %s: look at host, database and %s"
                                .formatted(names.from(), half.flag()));
            }
        }
    }

    private static String[] words(String first, List<String> rest) {
        String[] words = new String[1 + rest.size()];
        words[0] = first;
        for (int i = 0; i < rest.size(); i++) {
            words[1 + i] = rest.get(i);
        }
        return words;
    }

    private static void checkKind(RedisConnection connection, String name) {
        Inspector inspector = new Inspector(connection, InstantSource.system());
        String tooOld = inspector.whyTooOld();
        if (!tooOld.isEmpty()) {
            throw new MigrationFailure("%s: %s: upgrade it".formatted(name, tooOld));
        }
        String wrongUrl = inspector.whyWrongUrl();
        if (!wrongUrl.isEmpty()) {
            throw new MigrationFailure("%s: %s".formatted(name, wrongUrl));
        }
    }
}
