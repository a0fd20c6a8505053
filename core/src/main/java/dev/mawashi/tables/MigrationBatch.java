package dev.mawashi.tables;

import static dev.mawashi.redis.RedisConnection.utf8;

import dev.mawashi.wire.JsonFields;
import dev.mawashi.wire.JsonObject;
import dev.mawashi.wire.QueueLayout;
import dev.mawashi.wire.ResqueKeys;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

/// Jobs on their way to another Redis. A head says whose they are, so that whoever finds a batch
/// that has not ended can go on with it.
///
/// @param place from which it was taken
/// @param isFirst whether its jobs are to be the next ones of the other queue, before what waits
///   there; otherwise they go behind that, as new ones do
/// @param to the other Redis, in words
/// @param head what stands first in its key
/// @param entries behind that: see take_batch.lua and take_delayed.lua
public record MigrationBatch(
        String id,
        MigratedPlace place,
        boolean isFirst,
        String to,
        byte[] head,
        List<byte[]> entries) {
    public MigrationBatch {
        entries = List.copyOf(entries);
    }

    /// A batch that is to be taken.
    static MigrationBatch of(String id, MigratedPlace place, boolean isFirst, String to) {
        String head =
                new JsonFields()
                        .text("batch", id)
                        .text("kind", place.kind().word())
                        .text("queues", place.layout().prefix())
                        .text("place", place.name())
                        .flag("first", isFirst)
                        .text("to", to)
                        .toString();
        return new MigrationBatch(id, place, isFirst, to, utf8(head), List.of());
    }

    /// The same with an id of its own.
    public static MigrationBatch wanted(MigratedPlace place, boolean isFirst, String to) {
        return of(UUID.randomUUID().toString(), place, isFirst, to);
    }

    /// What Redis has as one.
    ///
    /// @param elements the head, then the entries
    /// @throws IllegalArgumentException when it is none
    static MigrationBatch read(List<byte[]> elements) {
        byte[] head = elements.getFirst();
        JsonObject fields = JsonObject.of(head);
        for (MigratedPlace.Kind kind : MigratedPlace.Kind.values()) {
            if (fields.text("kind").equals(kind.word())) {
                return new MigrationBatch(
                        fields.text("batch"),
                        new MigratedPlace(
                                kind, layout(fields.text("queues")), fields.text("place")),
                        fields.isTrue("first"),
                        fields.text("to"),
                        head,
                        elements.subList(1, elements.size()));
            }
        }
        throw new IllegalArgumentException("no batch");
    }

    private static QueueLayout layout(String prefix) {
        return prefix.equals(QueueLayout.SIDEKIQ.prefix())
                ? QueueLayout.SIDEKIQ
                : ResqueKeys.ofQueues(prefix).layout();
    }

    boolean isSame(MigrationBatch other) {
        return Arrays.equals(head, other.head);
    }

    /// How many jobs it holds.
    public int jobs() {
        return switch (place.kind()) {
            case LIST, FAILED -> entries.size();
            case SET -> entries.size() / 2;
            case DELAYED -> entries.size() / 3;
            case COUNT -> 0;
        };
    }

    /// Their bytes; none of those that have neither locks nor states.
    List<byte[]> payloads() {
        return switch (place.kind()) {
            case LIST -> entries;
            case SET ->
                    IntStream.range(0, entries.size() / 2)
                            .mapToObj(i -> entries.get(2 * i + 1))
                            .toList();
            case COUNT, FAILED, DELAYED -> List.of();
        };
    }

    /// Jobs of resque-scheduler.
    List<Delayed> delayed() {
        return IntStream.range(0, entries.size() / 3)
                .map(i -> 3 * i)
                .mapToObj(i ->
                        new Delayed(
                                new String(entries.get(i), StandardCharsets.UTF_8),
                                entries.get(i + 1),
                                entries.get(i + 2)))
                .toList();
    }

    /// One of these.
    ///
    /// @param score of its second
    record Delayed(String second, byte[] score, byte[] job) {}
}
