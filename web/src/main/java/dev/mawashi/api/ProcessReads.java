package dev.mawashi.api;

import dev.mawashi.desk.ProcessQuestions;
import dev.mawashi.desk.Profiles;
import dev.mawashi.fleet.Question.Kind;
import dev.mawashi.fleet.Reply;
import dev.mawashi.http.Answer;
import dev.mawashi.http.Call;
import dev.mawashi.http.Route;
import dev.mawashi.profile.Sampler;
import dev.mawashi.wire.JsonFields;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// Reads the answers of processes. A missing answer is no error: `problem` has the reason, and the
/// rest is null.
final class ProcessReads {
    private static final int CALLS = 30;

    private final ProcessQuestions questions;

    ProcessReads(ProcessQuestions questions) {
        this.questions = questions;
    }

    List<Route> routes() {
        return List.of(
                Reads.route(Api.ROOT + "/jvm", Set.of(), _ -> machines()),
                asked("/processes/{identity}/jvm", Kind.JVM),
                asked("/processes/{identity}/children", Kind.CHILDREN),
                asked("/processes/{identity}/generations", Kind.GENERATIONS),
                asked("/processes/{identity}/threads", Kind.THREADS),
                asked("/busy/{identity}/{slot}", Kind.STACK),
                Reads.route(Api.ROOT + "/profile", Set.of("what", "seconds"), this::profile));
    }

    private Answer machines() {
        ProcessQuestions.Machines all = questions.machines();
        List<String> machines = new ArrayList<>();
        all.replies()
                .forEach((identity, reply) ->
                        machines.add(
                                with(new JsonFields().text("identity", identity), Kind.JVM, reply)
                                        .toString()));
        return Answer.json(
                200,
                new JsonFields().array("machines", machines).number("more", all.more()).toString());
    }

    private Answer profile(Call call) {
        String what = call.query().getOrDefault("what", List.of("")).getFirst();
        String seconds = call.query().getOrDefault("seconds", List.of("1")).getFirst();
        int time = Profiles.seconds(seconds).orElse(0);
        if (time == 0) {
            return Answer.problem(400, Profiles.bounds());
        }
        return questions
                .profiles()
                .sample(what, time)
                .map(sampler -> profile(what, sampler))
                .orElseGet(() -> Answer.problem(503, Profiles.busy()));
    }

    private static Answer profile(String what, Sampler sampler) {
        boolean isEmpty = sampler.profile().samples() == 0;
        return Answer.json(
                200,
                new JsonFields()
                        .json("profile", sampler.profile().json(CALLS))
                        .known("problem", isEmpty ? sampler.nothing(what) : "")
                        .toString());
    }

    private Route asked(String path, Kind kind) {
        return Reads.route(
                Api.ROOT + path,
                Set.of(),
                call -> {
                    String identity = Reads.name(call, "identity");
                    Reply reply = questions.ask(identity, kind, Reads.name(call, "slot"));
                    if (reply == Reply.Unanswered.GONE) {
                        return Reads.gone(reply.problem());
                    }
                    return Answer.json(200, with(new JsonFields(), kind, reply).toString());
                });
    }

    private static JsonFields with(JsonFields fields, Kind kind, Reply reply) {
        String name = kind.word();
        String text = reply instanceof Reply.Answered answered ? answered.text() : "";
        return (kind.isJson() ? fields.checked(name, text) : fields.known(name, text))
                .known("problem", reply.problem());
    }
}
