package dev.mawashi.broker;

import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;

/// What `MemoryBroker` remembers of crashes. Guarded by its lock.
final class MemorySuspicion {
    private final Map<String, Integer> crashes = new HashMap<>();
    private final Map<String, Integer> soloCrashes = new HashMap<>();
    private final Map<String, Long> solo = new HashMap<>();

    /// A job was in hand when its owner died.
    ///
    /// @return true when that makes it a suspect
    boolean crashed(String owner, long token, byte[] payload) {
        if (Long.valueOf(token).equals(solo.get(owner))) {
            soloCrashes.merge(id(payload), 1, Integer::sum);
        }
        return crashes.merge(id(payload), 1, Integer::sum) >= Leasing.SUSPECT_CRASHES;
    }

    /// A job runs alone from now on.
    ///
    /// @return how often its process died while it did
    int runsAlone(String owner, long token, byte[] payload) {
        solo.put(owner, token);
        return soloCrashes.getOrDefault(id(payload), 0);
    }

    void absolve(Lease suspect, boolean isInnocent) {
        solo.remove(suspect.owner());
        if (isInnocent) {
            crashes.remove(id(suspect.payload()));
            soloCrashes.remove(id(suspect.payload()));
        }
    }

    private static String id(byte[] payload) {
        return HexFormat.of().formatHex(payload);
    }
}
