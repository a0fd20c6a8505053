package dev.mawashi.acts;

import dev.mawashi.http.Route;
import dev.mawashi.inspect.LockReader;
import dev.mawashi.inspect.LockView;
import dev.mawashi.operate.Act;
import dev.mawashi.operate.Audit;
import dev.mawashi.operate.LockRelease;
import dev.mawashi.operate.Places;
import dev.mawashi.pages.Section;
import java.util.Map;
import java.util.Set;

/// The route that frees a lock.
final class LockRoutes {
    private final Work work;
    private final ActRoutes answering;

    LockRoutes(Work work, ActRoutes answering) {
        this.work = work;
        this.answering = answering;
    }

    Route route() {
        return answering.route(
                new ActRoutes.Post(
                        "locks/{key}/" + Act.FREE.word(),
                        Work.role(Act.FREE),
                        Section.QUEUES,
                        Set.of(),
                        this::free),
                _ -> new ActRoutes.Page("/locks", Map.of()));
    }

    private ActOutcome free(Ask ask) {
        String key = ask.inPath("key");
        LockView lock =
                work.desks()
                        .read(desk -> new LockReader(desk.connection()).one(key))
                        .orElseThrow(() -> new ActRefusal(404, "nobody holds this lock"));
        ask.confirm(
                "Free the lock of " + lock.holder() + "?",
                "While that job waits or runs, an equal one can be enqueued then.");
        return work.atOnce(
                ask,
                new Audit.Intent(Act.FREE, Places.ofLock(key), "", lock.holder()),
                (desk, _) -> Audit.Came.to(LockRelease.free(desk.connection(), lock)));
    }
}
