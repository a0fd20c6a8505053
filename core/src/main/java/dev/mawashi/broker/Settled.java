package dev.mawashi.broker;

import java.util.Objects;

/// A claimed job and where it goes.
public record Settled(Lease lease, Settlement settlement) {
    public Settled {
        Objects.requireNonNull(lease, "lease");
        Objects.requireNonNull(settlement, "settlement");
    }
}
