package dev.mawashi.dispatch;

import dev.mawashi.broker.Epoch;
import dev.mawashi.event.Listener;
import dev.mawashi.metrics.RunTallies;
import dev.mawashi.settle.SettlePolicy;
import dev.mawashi.settle.Settler;

/// What it takes to run claimed jobs and to settle them.
///
/// @param tallies what counts the runs by class, the same for all capsules
/// @param cancelled the same for all capsules
public record RunParts(
        SettlePolicy policy,
        Settler settler,
        Epoch epoch,
        Listener listener,
        RunTallies tallies,
        Cancelled cancelled) {}
