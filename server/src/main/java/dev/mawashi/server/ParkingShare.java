package dev.mawashi.server;

import dev.mawashi.config.CapsulePlan;
import dev.mawashi.ruby.AppSettings;
import java.util.List;

/// Shares out the connections that `connections` in `config/mawashi.yml` leaves for queues: each
/// capsule parks one at each of its first queues. The others are those of the guide's table in
/// `redis.md`.
final class ParkingShare {
    /// `settle`, `lease`, `answer`, `watch`, `follow` and `chores`.
    private static final int AT_REST = 6;

    /// `enqueue`, `iterate`, and two for a moment, such as `redact`.
    private static final int AS_NEEDED = 4;

    /// The second `settle` and `lease`.
    private static final int RESQUE = 2;

    /// `metrics`.
    private static final int SCRAPES = 1;

    /// `metrics`, `probe`, `web-live`, and four each of `web`, `ask` and `web-act`.
    private static final int PAGE = 15;

    private ParkingShare() {}

    /// At how many queues each capsule parks at most.
    ///
    /// @param plans of Sidekiq's queues, if it serves them
    /// @throws StartFailure when the limit leaves less than one queue for each capsule
    static int of(ServerSettings settings, AppSettings app, List<CapsulePlan> plans) {
        Integer limit = settings.runners().connections();
        if (limit == null) {
            return Integer.MAX_VALUE;
        }
        int resque = settings.resque() == null ? 0 : 1;
        List<CapsulePlan> served = Pools.servesSidekiq(settings, app) ? plans : List.of();
        int claims = served.size() + resque;
        int parking = (int) served.stream().filter(plan -> !plan.isForClasses()).count() + resque;
        int others = AT_REST + AS_NEEDED + resque * RESQUE + ports(settings.listening()) + claims;
        if (limit < others + parking) {
            throw new StartFailure(
                    "connections is %s in mawashi.yml, and this server needs %s: %s, and one for a queue of each capsule"
                            .formatted(limit, others + parking, others));
        }
        return parking == 0 ? Integer.MAX_VALUE : (limit - others) / parking;
    }

    private static int ports(Listening listening) {
        int scrapes = listening.isHealthApart() ? SCRAPES : 0;
        return scrapes + (listening.web() == null ? 0 : PAGE);
    }
}
