package dev.mawashi.api;

import dev.mawashi.desk.Desks;
import dev.mawashi.desk.ListRequest;
import dev.mawashi.desk.LockLists;
import dev.mawashi.http.Answer;
import dev.mawashi.http.Call;
import dev.mawashi.http.Route;
import dev.mawashi.inspect.LockReader;
import dev.mawashi.wire.JsonFields;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;

/// Locks of unique jobs, a part at a time.
final class LockReads {
    private static final String PATH = Api.ROOT + "/locks";

    private final LockLists lists;
    private final InstantSource clock;

    LockReads(Desks desks, InstantSource clock) {
        lists = new LockLists(desks);
        this.clock = clock;
    }

    Route route() {
        return Reads.route(PATH, Set.of("class", "cursor", "limit"), this::locks);
    }

    private Answer locks(Call call) {
        ListRequest request = ListRequest.of(call.query(), LockLists.FIELDS, clock.instant());
        LockReader.Part part = lists.part(request);
        List<String> locks = part.found().stream().map(lock -> lock.json().toString()).toList();
        String next =
                part.next().isEmpty()
                        ? ""
                        : PATH + ListParts.query(request.with("cursor", part.next()));
        return Answer.json(
                200,
                new JsonFields()
                        .number("total", part.total())
                        .array("locks", locks)
                        .known("next", next)
                        .toString());
    }
}
