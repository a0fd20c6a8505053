package dev.mawashi.cron;

import dev.mawashi.broker.CronTable;
import dev.mawashi.client.NewJob;
import dev.mawashi.client.PayloadForm;
import dev.mawashi.wire.Json;
import dev.mawashi.wire.JsonFields;
import dev.mawashi.wire.Payload;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Makes the ticks of schedules, with the job that each enqueues and the record of it.
///
/// @param form makes payloads by Redis's clock
record CronJob(PayloadForm form, Instant now) {
    /// By both names that Rails and Sidekiq have for it, the older finds it in all versions.
    private static final String WRAPPER = "ActiveJob::QueueAdapters::SidekiqAdapter::JobWrapper";

    /// A tick that enqueues the schedule's job.
    ///
    /// @param earlier the tick that must be decided before; empty for none
    CronTable.Tick run(CronSchedule schedule, Instant tick, Optional<Instant> earlier) {
        NewJob job = job(schedule);
        String jid = Payload.parse(job.payload()).text("jid");
        Optional<Instant> of = Optional.of(tick);
        return new CronTable.Tick(
                schedule.name(),
                "" + tick.toEpochMilli(),
                earlier.map(time -> "" + time.toEpochMilli()).orElse(""),
                schedule.note(),
                record("enqueued", of).text("jid", jid).toString(),
                record("paused", of).toString(),
                new CronTable.Job(job.queue(), job.payload()));
    }

    /// A run that somebody asked for.
    ///
    /// @param by who did
    CronTable.Tick byHand(CronSchedule schedule, String by) {
        NewJob job = job(schedule);
        String jid = Payload.parse(job.payload()).text("jid");
        return new CronTable.Tick(
                schedule.name(),
                "",
                "",
                "",
                record("enqueued", Optional.empty()).text("jid", jid).text("by", by).toString(),
                "",
                new CronTable.Job(job.queue(), job.payload()));
    }

    /// A tick that enqueues nothing, since it was missed.
    CronTable.Tick skip(CronSchedule schedule, Instant tick) {
        Optional<Instant> of = Optional.of(tick);
        return new CronTable.Tick(
                schedule.name(),
                "" + tick.toEpochMilli(),
                "",
                schedule.note(),
                record("missed", of).toString(),
                record("paused", of).toString(),
                null);
    }

    /// The record of a tick that Redis refused. It stays undecided.
    CronTable.Tick refused(CronSchedule schedule, CronTable.Tick tick, String reason) {
        Instant of = Instant.ofEpochMilli(Long.parseLong(tick.millis()));
        String record = record("refused", Optional.of(of)).text("reason", reason).toString();
        return new CronTable.Tick(schedule.name(), "", "", "", record, "", null);
    }

    /// Has a schedule begin at this moment: earlier ticks are none of it.
    CronTable.Tick begin(CronSchedule schedule) {
        return new CronTable.Tick(
                schedule.name(), "" + now.toEpochMilli(), "", schedule.note(), "", "", null);
    }

    private JsonFields record(String outcome, Optional<Instant> tick) {
        return new JsonFields()
                .text("outcome", outcome)
                .time("tick", tick)
                .time("at", Optional.of(now));
    }

    private NewJob job(CronSchedule schedule) {
        Map<String, String> fields = schedule.fields();
        if (!schedule.isActiveJob()) {
            return with(
                    form.job(schedule.jobClass(), schedule.queue(), schedule.args(), null), fields);
        }
        NewJob job = form.job(WRAPPER, schedule.queue(), "[]", null);
        String id = id(Payload.parse(job.payload()).text("jid"));
        fields.put("wrapped", Json.quote(schedule.jobClass()));
        fields.put("args", "[" + activeJob(schedule, id) + "]");
        return with(job, fields);
    }

    private static NewJob with(NewJob job, Map<String, String> fields) {
        return fields.isEmpty()
                ? job
                : new NewJob(job.queue(), Payload.parse(job.payload()).with(fields), null);
    }

    /// An Active Job has an id of its own, of another form.
    private static String id(@Nullable String jid) {
        byte[] bytes = String.valueOf(jid).getBytes(StandardCharsets.UTF_8);
        return UUID.nameUUIDFromBytes(bytes).toString();
    }

    /// As Active Job's own `serialize` writes it.
    private String activeJob(CronSchedule schedule, String id) {
        return new JsonFields()
                .text("job_class", schedule.jobClass())
                .text("job_id", id)
                .text("provider_job_id", null)
                .text("queue_name", schedule.queue())
                .text("priority", null)
                .json("arguments", schedule.args())
                .number("executions", 0)
                .json("exception_executions", "{}")
                .time("enqueued_at", Optional.of(now))
                .toString();
    }
}
