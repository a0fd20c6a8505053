package dev.mawashi.bench;

/// Where a race is, and what there is to do.
record RaceSetting(Bench bench, Ground ground, Payloads payloads) {}
