package dev.mawashi.fleet;

import dev.mawashi.wire.JsonFields;
import dev.mawashi.wire.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;

/// The part of a process's record that does not change, `info`: the superset of what Sidekiq 6.4 to
/// 8.1 read (docs/formats/sidekiq.md, "Process records").
///
/// @param startedAt empty when it is unknown
/// @param queues none twice
/// @param version Sidekiq's; empty up to Sidekiq 6, which does not say it
/// @param isEmbedded true for a process that runs inside another program, which must not be
///   signalled
/// @param capsules for the pages of Sidekiq, and none where the record was read: nothing of ours
///   reads them
public record ProcessInfo(
        String hostname,
        long pid,
        Optional<Instant> startedAt,
        String tag,
        List<String> queues,
        List<String> labels,
        String version,
        boolean isEmbedded,
        List<CapsuleQueues> capsules) {
    public ProcessInfo {
        queues = List.copyOf(queues);
        labels = List.copyOf(labels);
        capsules = List.copyOf(capsules);
    }

    /// A capsule as Sidekiq knows it.
    ///
    /// @param mode `strict`, `weighted` or `random`
    /// @param weights by queue
    public record CapsuleQueues(
            String name, long concurrency, String mode, SequencedMap<String, Integer> weights) {
        private JsonFields weightsJson() {
            JsonFields fields = new JsonFields();
            weights.forEach(fields::number);
            return fields;
        }

        private String json() {
            return new JsonFields()
                    .number("concurrency", concurrency)
                    .text("mode", mode)
                    .object("weights", weightsJson())
                    .toString();
        }
    }

    /// As the record has it.
    ///
    /// @param concurrency slots of all capsules
    String json(String identity, long concurrency) {
        JsonFields byName = new JsonFields();
        capsules.forEach(capsule -> byName.json(capsule.name(), capsule.json()));
        return new JsonFields()
                .text("hostname", hostname)
                .json("started_at", startedAt.map(EpochSeconds::write).orElse("null"))
                .number("pid", pid)
                .text("tag", tag)
                .number("concurrency", concurrency)
                .texts("queues", queues)
                .array("weights", capsules.stream().map(one -> "" + one.weightsJson()).toList())
                .object("capsules", byName)
                .texts("labels", labels)
                .text("identity", identity)
                .text("version", version)
                .flag("embedded", isEmbedded)
                .toString();
    }

    /// Reads what `json` wrote, or any Sidekiq.
    public static ProcessInfo of(JsonObject fields) {
        return new ProcessInfo(
                fields.text("hostname"),
                fields.number("pid"),
                EpochSeconds.read(fields.raw("started_at")),
                fields.text("tag"),
                fields.texts("queues").stream().distinct().toList(),
                fields.texts("labels").stream().distinct().toList(),
                fields.text("version"),
                fields.isTrue("embedded"),
                List.of());
    }
}
