package dev.mawashi.api;

import dev.mawashi.acts.Acts;
import dev.mawashi.desk.Desks;
import dev.mawashi.desk.ListRequest;
import dev.mawashi.http.Answer;
import dev.mawashi.http.Call;
import dev.mawashi.http.Route;
import dev.mawashi.wire.JsonFields;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;

/// Reads the last changes, and the progress of those under way.
final class ActReads {
    private final Desks desks;
    private final Acts acts;
    private final InstantSource clock;

    ActReads(Desks desks, Acts acts, InstantSource clock) {
        this.desks = desks;
        this.acts = acts;
        this.clock = clock;
    }

    List<Route> routes() {
        return List.of(
                Reads.route(Api.ROOT + "/acts", Set.of("limit"), this::newest),
                Reads.route(Api.ROOT + "/acts/{id}", Set.of(), this::one));
    }

    private Answer newest(Call call) {
        int most = ListRequest.of(call.query(), List.of(), clock.instant()).limit();
        List<String> newest =
                desks.read(desk -> acts.record(desk, most)).stream().map(acts::json).toList();
        return Answer.json(200, new JsonFields().array("acts", newest).toString());
    }

    private Answer one(Call call) {
        String id = Reads.name(call, "id");
        return desks.read(desk -> acts.find(desk, id))
                .map(entry -> Answer.json(200, acts.json(entry)))
                .orElseGet(() -> Reads.gone("no change of late has this id"));
    }
}
