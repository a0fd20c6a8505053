package dev.mawashi.dispatch;

import dev.mawashi.broker.Broker;
import dev.mawashi.event.Outage;
import dev.mawashi.fetch.Pauses;

/// The parts of a capsule: its claimer needs all of them, its slots only `runs`.
///
/// @param routes the same for all capsules of a process, as are the pauses
/// @param payloads the same for all capsules of a process, of both sides
public record CapsuleParts(
        Broker broker,
        Outage outage,
        Routes routes,
        Pauses pauses,
        PayloadBudget payloads,
        RunParts runs) {}
