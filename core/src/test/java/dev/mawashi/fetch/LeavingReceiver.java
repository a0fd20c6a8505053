package dev.mawashi.fetch;

import dev.mawashi.broker.Lease;

/// Leaves all that arrives to the next claim.
final class LeavingReceiver implements Receiver {
    @Override
    public boolean begin(Lease lease, Runnable onBegun) {
        return false;
    }

    @Override
    public void arrived() {}
}
