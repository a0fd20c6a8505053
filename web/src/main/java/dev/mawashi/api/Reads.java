package dev.mawashi.api;

import dev.mawashi.desk.RedisAway;
import dev.mawashi.figures.Period;
import dev.mawashi.http.Answer;
import dev.mawashi.http.Call;
import dev.mawashi.http.Role;
import dev.mawashi.http.Route;
import dev.mawashi.inspect.QueryFields;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/// Makes routes that read. What goes wrong is answered as JSON too.
final class Reads {
    private Reads() {}

    /// @param parameters that the query may have; another one is a mistake that would go unseen
    static Route route(String path, Set<String> parameters, Function<Call, Answer> making) {
        return Route.get(path, Role.VIEWER, call -> answer(parameters, call, making));
    }

    private static Answer answer(Set<String> parameters, Call call, Function<Call, Answer> making) {
        Set<String> others = new TreeSet<>(call.query().keySet());
        others.removeAll(parameters);
        if (!others.isEmpty()) {
            return Answer.problem(400, unknown(others, parameters));
        }
        try {
            return making.apply(call);
        } catch (QueryFields.NoTime wrong) {
            return Answer.problem(400, "" + wrong.getMessage());
        } catch (RedisAway away) {
            return Answer.problem(away.status(), away.sentence());
        }
    }

    private static String unknown(Set<String> others, Set<String> parameters) {
        String one = others.iterator().next();
        String shown = one.length() <= 50 ? one : one.substring(0, 50) + "...";
        return "there is no parameter "
                + shown
                + " here"
                + (parameters.isEmpty()
                        ? ", nor any other"
                        : ", only " + String.join(", ", new TreeSet<>(parameters)));
    }

    /// One name in the path, decoded.
    static String name(Call call, String name) {
        return call.path().getOrDefault(name, "");
    }

    /// What metrics are asked of; empty for a period that there is not.
    static Optional<Period> period(Call call) {
        return Period.of(call.query().getOrDefault("period", List.of("1h")).getFirst());
    }

    static Answer noPeriod() {
        return Answer.problem(400, "period is one of " + Period.names());
    }

    static Answer gone(String what) {
        return Answer.problem(404, what);
    }

    /// Whether a parameter is there and not 0 or false.
    static boolean isSet(Call call, String parameter) {
        String value = call.query().getOrDefault(parameter, List.of("0")).getFirst();
        return !value.equals("0") && !value.equals("false");
    }
}
