package dev.mawashi.acts;

import dev.mawashi.broker.DeadLimits;
import dev.mawashi.http.Role;
import dev.mawashi.inspect.TimeText;
import dev.mawashi.operate.SetAct;
import dev.mawashi.wire.JobSet;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// What can be done to entries of a set.
enum SetVerb {
    RETRY(Role.OPERATOR),
    RUN(Role.OPERATOR),
    RESCHEDULE(Role.OPERATOR),
    REQUEUE(Role.OPERATOR),
    BURY(Role.OPERATOR),
    DELETE(Role.ADMIN);

    /// The years in which jobs may be due: Redis and Sidekiq take any number for a time.
    private static final Duration DUE_MAX = Duration.ofDays(100 * 366);

    private final Role role;

    SetVerb(Role role) {
        this.role = role;
    }

    /// Those that make sense in a set.
    static List<SetVerb> of(JobSet set) {
        return switch (set) {
            case RETRY -> List.of(RETRY, RESCHEDULE, REQUEUE, BURY, DELETE);
            case SCHEDULE -> List.of(RUN, RESCHEDULE, REQUEUE, BURY, DELETE);
            case DEAD -> List.of(RETRY, REQUEUE, DELETE);
        };
    }

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    Role role() {
        return role;
    }

    /// The fields that it has beyond those that choose jobs.
    Set<String> fields() {
        return switch (this) {
            case RESCHEDULE -> Set.of("in", "at");
            case REQUEUE -> Set.of("to");
            case BURY -> Set.of("dead_max");
            case RETRY, RUN, DELETE -> Set.of();
        };
    }

    /// @throws Refusal when its fields make no sense
    SetAct act(JobSet set, Fields asked, Instant now) {
        return switch (this) {
            case RETRY -> new SetAct.Run(true);
            case RUN -> new SetAct.Run(false);
            case RESCHEDULE -> new SetAct.Reschedule(due(asked, now));
            case REQUEUE -> new SetAct.Requeue(QueueName.of(asked, "to"), set != JobSet.SCHEDULE);
            case BURY ->
                    new SetAct.Bury(
                            new DeadLimits(
                                    asked.number(
                                            "dead_max",
                                            DeadLimits.DEFAULT.maxJobs(),
                                            1,
                                            100_000_000),
                                    DeadLimits.DEFAULT.maxAge()));
            case DELETE -> new SetAct.Delete();
        };
    }

    private static Instant due(Fields asked, Instant now) {
        String in = asked.one("in");
        String at = asked.one("at");
        if (in.isEmpty() == at.isEmpty()) {
            throw Refusal.wrong("when? Give one of the fields in (such as 2h) and at");
        }
        Instant due =
                in.isEmpty()
                        ? TimeText.instant(at).orElseThrow(() -> noTime(at, TimeText.TIMES))
                        : now.plus(TimeText.span(in).orElseThrow(() -> noTime(in, TimeText.SPANS)));
        if (due.isBefore(Instant.EPOCH) || due.isAfter(now.plus(DUE_MAX))) {
            throw Refusal.wrong(due + " is not within a hundred years");
        }
        return due;
    }

    private static Refusal noTime(String text, String forms) {
        return Refusal.wrong(text + " is no time: write " + forms);
    }
}
