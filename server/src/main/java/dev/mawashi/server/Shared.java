package dev.mawashi.server;

import dev.mawashi.broker.RedisBroker;
import dev.mawashi.dispatch.PayloadBudget;
import dev.mawashi.event.Listener;
import dev.mawashi.event.Outage;
import dev.mawashi.metrics.EventTally;
import dev.mawashi.presence.ProcessName;
import java.time.Instant;
import java.time.InstantSource;

/// The parts that both sides of a server share.
///
/// @param broker each side has one `beside` it
/// @param onSuspects called when there are suspects that it may run
/// @param payloads what the jobs of both may take of the heap
/// @param parkedMax at how many queues each capsule parks a connection at most
/// @param rules on what is hidden of jobs
record Shared(
        ServerSettings settings,
        RedisBroker broker,
        ProcessName name,
        Instant startedAt,
        Runnable onSuspects,
        InstantSource clock,
        Listener listener,
        Outage outage,
        EventTally counts,
        PayloadBudget payloads,
        int parkedMax,
        SharedRules rules) {}
