package dev.mawashi.server;

import dev.mawashi.dispatch.PayloadBudget;
import dev.mawashi.event.Listener;
import dev.mawashi.event.Outage;
import dev.mawashi.metrics.EventTally;
import dev.mawashi.presence.ProcessName;
import java.time.Instant;
import java.time.InstantSource;

/// The parts that both sides of a server share.
///
/// @param onSuspects called when there are suspects that it may run
/// @param payloads what the jobs of both may take of the heap
/// @param rules on what is hidden of jobs
record Shared(
        ServerSettings settings,
        ProcessName name,
        Instant startedAt,
        Runnable onSuspects,
        InstantSource clock,
        Listener listener,
        Outage outage,
        EventTally counts,
        PayloadBudget payloads,
        SharedRules rules) {}
