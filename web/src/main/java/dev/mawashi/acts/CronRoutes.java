package dev.mawashi.acts;

import dev.mawashi.cron.CronReader;
import dev.mawashi.cron.CronRefusal;
import dev.mawashi.cron.ShownSchedule;
import dev.mawashi.http.Route;
import dev.mawashi.operate.Act;
import dev.mawashi.operate.Audit;
import dev.mawashi.operate.Places;
import dev.mawashi.operate.Report;
import dev.mawashi.pages.Links;
import dev.mawashi.pages.Section;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The routes that pause, resume and run schedules.
final class CronRoutes {
    private final Work work;
    private final Work asking;
    private final ActRoutes answering;
    private final SecureRandom random = new SecureRandom();

    /// @param asking for what waits for a process
    CronRoutes(Work work, Work asking, ActRoutes answering) {
        this.work = work;
        this.asking = asking;
        this.answering = answering;
    }

    List<Route> routes() {
        return List.of(route(Act.PAUSE), route(Act.RESUME), route(Act.RUN));
    }

    private Route route(Act act) {
        return answering.route(
                new ActRoutes.Post(
                        "cron/{name}/" + act.word(),
                        Work.role(act),
                        Section.CRON,
                        Set.of(),
                        ask -> perform(ask, act)),
                CronRoutes::page);
    }

    /// The list of schedules or the schedule's own page.
    private static ActRoutes.Page page(Ask ask) {
        boolean isList = ask.fields().one("view").equals("cron");
        String own = "/cron/" + Links.segment(ask.inPath("name"));
        return new ActRoutes.Page(isList ? "/cron" : own, Map.of());
    }

    private ActOutcome perform(Ask ask, Act act) {
        String name = ask.inPath("name");
        ShownSchedule schedule =
                work.desks()
                        .read(desk -> new CronReader(desk.connection()).one(name))
                        .orElseThrow(() -> new ActRefusal(404, "no server has this schedule"))
                        .schedule();
        boolean isAsked = act == Act.RUN && !schedule.gem().isEmpty();
        return (isAsked ? asking : work)
                .atOnce(
                        ask,
                        new Audit.Intent(act, Places.ofSchedule(schedule.name())),
                        (desk, _) -> {
                            CronReader reader = new CronReader(desk.connection());
                            if (act == Act.RUN) {
                                String jid = run(reader, schedule, ask.author().name());
                                return new Audit.Came(Report.touched(1), jid);
                            }
                            boolean isChanged = reader.pause(schedule, act == Act.PAUSE);
                            return new Audit.Came(
                                    Report.NOTHING, isChanged ? "" : "was so already");
                        });
    }

    private String run(CronReader reader, ShownSchedule schedule, String by) {
        try {
            return reader.run(schedule, by, random);
        } catch (CronRefusal refusal) {
            throw new ActRefusal(409, String.valueOf(refusal.getMessage()));
        }
    }
}
