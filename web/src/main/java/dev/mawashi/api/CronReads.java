package dev.mawashi.api;

import dev.mawashi.cron.CronReader;
import dev.mawashi.desk.Desks;
import dev.mawashi.http.Answer;
import dev.mawashi.http.Call;
import dev.mawashi.http.Route;
import dev.mawashi.wire.JsonFields;
import java.util.List;
import java.util.Set;

/// Reads schedules.
final class CronReads {
    private final Desks desks;

    CronReads(Desks desks) {
        this.desks = desks;
    }

    List<Route> routes() {
        return List.of(
                Reads.route(Api.ROOT + "/cron", Set.of(), _ -> all()),
                Reads.route(Api.ROOT + "/cron/{name}", Set.of(), this::one));
    }

    private Answer all() {
        List<String> schedules =
                desks.read(desk -> new CronReader(desk.connection()).all()).stream()
                        .map(view -> view.json().toString())
                        .toList();
        return Answer.json(200, new JsonFields().array("schedules", schedules).toString());
    }

    private Answer one(Call call) {
        String name = Reads.name(call, "name");
        return desks.read(desk -> new CronReader(desk.connection()).one(name))
                .map(view -> Answer.json(200, view.json().toString()))
                .orElseGet(() -> Reads.gone("no server that runs has this schedule"));
    }
}
