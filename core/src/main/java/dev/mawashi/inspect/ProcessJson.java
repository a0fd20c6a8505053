package dev.mawashi.inspect;

import dev.mawashi.wire.JsonFields;
import java.time.Duration;
import java.time.Instant;

/// Processes and what they run as JSON, the same on the command line and over HTTP.
public final class ProcessJson {
    private ProcessJson() {}

    public static String of(ProcessView process, Instant now) {
        JsonFields fields =
                new JsonFields()
                        .text("identity", process.identity())
                        .text("tag", process.tag())
                        .texts("queues", process.queues())
                        .texts("labels", process.labels())
                        .number("busy", process.busy())
                        .number("concurrency", process.concurrency())
                        .flag("quiet", process.isQuiet())
                        .number("rss_kib", process.rssKib())
                        .seconds("beat_age", seconds(process.sinceBeat(now)))
                        .seconds("uptime", seconds(process.sinceStart(now)))
                        .known("version", process.version())
                        .known("trouble", process.trouble());
        if (process.isMawashi()) {
            fields.array("capsules", process.capsules().stream().map(ProcessJson::of).toList())
                    .number("children", process.children())
                    .seconds("cpu", seconds(process.cpu()))
                    .seconds("gc", seconds(process.collecting()));
        }
        return fields.toString();
    }

    private static String of(CapsuleView capsule) {
        return new JsonFields()
                .text("name", capsule.name())
                .text("runner", capsule.runner())
                .number("slots", capsule.slots())
                .number("busy", capsule.busy())
                .toString();
    }

    private static double seconds(Duration span) {
        return span.toMillis() / 1_000.0;
    }

    /// A job that runs. Without arguments where it is no job.
    public static String of(WorkView work) {
        boolean isJob = work.job().problem() == null;
        return new JsonFields()
                .text("process", work.identity())
                .text("slot", work.slot())
                .text("queue", work.queue())
                .text("jid", work.job().jid())
                .known("run", work.runId())
                .text("class", isJob ? work.job().jobClass() : "(malformed)")
                .json("args", isJob ? work.job().args() : "null")
                .time("since", work.since())
                .known("runner", work.place().runner())
                .known("thread", work.place().thread())
                .json("pid", work.place().pid() == 0 ? "null" : "" + work.place().pid())
                .toString();
    }
}
