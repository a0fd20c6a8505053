package dev.mawashi.desk;

import dev.mawashi.fleet.Asking;
import dev.mawashi.fleet.ProcessRecord;
import dev.mawashi.fleet.WorkView;
import dev.mawashi.profile.Sampler;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;

/// Profiles of running jobs for requests, a few at once. Each sample borrows a desk for its own
/// question alone, so that others can ask meanwhile.
public final class Profiles {
    /// A browser, and a thread of ours, wait for so long.
    public static final int SECONDS_MAX = 10;

    private static final int AT_ONCE = 2;

    private final Desks askers;
    private final Semaphore free = new Semaphore(AT_ONCE);

    Profiles(Desks askers) {
        this.askers = askers;
    }

    private record Fleet(List<ProcessRecord> live, List<WorkView> work) {}

    /// Samples on the calling thread.
    ///
    /// @param what see `Sampler`
    /// @param seconds 1 to `SECONDS_MAX`
    /// @return empty while too many others sample
    /// @throws RedisAway when Redis does not answer in time, or refuses
    public Optional<Sampler> sample(String what, int seconds) {
        if (!free.tryAcquire()) {
            return Optional.empty();
        }
        try {
            Sampler sampler =
                    new Sampler((identities, kind, about, patience) ->
                            askers.read(desk ->
                                    new Asking(desk.connection())
                                            .askAll(identities, kind, about, patience)));
            Fleet fleet =
                    askers.read(desk ->
                            new Fleet(desk.processes().processes(), desk.processes().work()));
            sampler.sample(what, fleet.live(), fleet.work(), Duration.ofSeconds(seconds));
            return Optional.of(sampler);
        } finally {
            free.release();
        }
    }

    /// @return empty for what is no number of seconds within the bounds
    public static Optional<Integer> seconds(String text) {
        if (!text.matches("[0-9]{1,2}")) {
            return Optional.empty();
        }
        int seconds = Integer.parseInt(text);
        return seconds < 1 || seconds > SECONDS_MAX ? Optional.empty() : Optional.of(seconds);
    }

    /// The reason of a refusal.
    public static String bounds() {
        return "seconds is 1 to " + SECONDS_MAX;
    }

    /// The reason why there is none.
    public static String busy() {
        return AT_ONCE + " profiles are taken already: try again in a few seconds";
    }
}
