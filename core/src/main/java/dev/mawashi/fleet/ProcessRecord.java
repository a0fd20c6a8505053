package dev.mawashi.fleet;

import dev.mawashi.wire.JsonFields;
import dev.mawashi.wire.JsonObject;
import dev.mawashi.wire.Keys;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The record that a live process keeps of itself in Redis, written anew at each beat
/// (docs/formats/sidekiq.md, "Process records"): ours are written and read here, those of Sidekiq
/// 6.4 to 8.1 are read too.
///
/// @param identity `host:pid:nonce`
/// @param info the part that does not change
/// @param concurrency slots of all capsules
/// @param busy jobs that it runs
/// @param beat its last sign of life; empty when it is unknown
/// @param rttMicros time of its last round trip to Redis, in microseconds
/// @param rssKib resident memory of the process, in KiB
/// @param trouble why it cannot run jobs now; "" when it can, and for a process of Sidekiq's
/// @param isMawashi true for one of ours, of a version that reports more than Sidekiq and takes
///   questions
/// @param own what only ours say; for any other, nothing and zeros
public record ProcessRecord(
        String identity,
        ProcessInfo info,
        long concurrency,
        long busy,
        Optional<Instant> beat,
        long rttMicros,
        boolean isQuiet,
        long rssKib,
        String trouble,
        boolean isMawashi,
        MawashiFigures own) {
    /// The names that `json` gives them, for help.
    public static final String WORDS =
            "identity, tag, queues, labels, busy, concurrency, quiet, rss_kib, beat_age and uptime"
                    + " in seconds, version (null: unknown), trouble (its fault; null: it can run"
                    + " jobs), and of Mawashi's "
                    + MawashiFigures.WORDS;

    /// The fields of the hash, each followed by its value.
    List<String> fields() {
        return List.of(
                "info",
                info.json(identity, concurrency),
                "concurrency",
                Long.toString(concurrency),
                "busy",
                Long.toString(busy),
                "beat",
                beat.map(EpochSeconds::write).orElse(""),
                "rtt_us",
                Long.toString(rttMicros),
                "quiet",
                Boolean.toString(isQuiet),
                "rss",
                Long.toString(rssKib),
                "trouble",
                trouble,
                Keys.OWN_RECORD,
                own.json());
    }

    /// Reads the hash.
    ///
    /// @return empty when it has expired or is none
    static Optional<ProcessRecord> of(String identity, Map<String, String> hash) {
        JsonObject info = JsonObject.of(hash.get("info"));
        if (!info.isThere()) {
            return Optional.empty();
        }
        JsonObject own = JsonObject.of(hash.get(Keys.OWN_RECORD));
        return Optional.of(
                new ProcessRecord(
                        identity,
                        ProcessInfo.of(info),
                        hash.containsKey("concurrency")
                                ? number(hash, "concurrency")
                                : info.number("concurrency"),
                        number(hash, "busy"),
                        EpochSeconds.read(hash.get("beat")),
                        number(hash, "rtt_us"),
                        "true".equals(hash.get("quiet")),
                        number(hash, "rss"),
                        hash.getOrDefault("trouble", ""),
                        own.isThere(),
                        MawashiFigures.of(own)));
    }

    private static long number(Map<String, String> hash, String field) {
        try {
            return Long.parseLong(hash.getOrDefault(field, "0"));
        } catch (NumberFormatException _) {
            return 0;
        }
    }

    /// For programs, the same on the command line and over HTTP.
    public String json(Instant now) {
        JsonFields fields =
                new JsonFields()
                        .text("identity", identity)
                        .text("tag", info.tag())
                        .texts("queues", info.queues())
                        .texts("labels", info.labels())
                        .number("busy", busy)
                        .number("concurrency", concurrency)
                        .flag("quiet", isQuiet)
                        .number("rss_kib", rssKib)
                        .seconds("beat_age", sinceBeat(now))
                        .seconds("uptime", sinceStart(now))
                        .known("version", info.version())
                        .known("trouble", trouble);
        return (isMawashi ? own.addTo(fields) : fields).toString();
    }

    /// Time since its last sign of life.
    public Duration sinceBeat(Instant now) {
        return EpochSeconds.since(beat, now);
    }

    /// Time since it started.
    public Duration sinceStart(Instant now) {
        return EpochSeconds.since(info.startedAt(), now);
    }
}
