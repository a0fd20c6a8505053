package dev.mawashi.mcp;

import dev.mawashi.http.Answer;
import dev.mawashi.http.Call;
import dev.mawashi.http.CallReply;
import dev.mawashi.http.Role;
import dev.mawashi.http.Route;
import dev.mawashi.web.AgentAccess;
import java.lang.System.Logger.Level;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/// An operation of the API as a tool: arguments in, the route's answer out, without HTTP between.
///
/// @param input the schema of its arguments
/// @param places where an argument goes in a request, `path`, `query` or `header`; all others are
///   fields of the body
record ApiTool(
        String name,
        String title,
        String description,
        Map<String, Object> input,
        Route route,
        Map<String, String> places) {
    private static final System.Logger LOG = System.getLogger(ApiTool.class.getName());

    /// As the record of changes names an agent; who started it stands beside.
    private static final String WHO = "mcp";

    /// Whether it changes something.
    boolean isAct() {
        return !route.method().equals("GET");
    }

    /// Whether it does what cannot always be undone.
    boolean isDestructive() {
        return route.role() == Role.ADMIN;
    }

    /// Whether a caller of this role may call it.
    boolean isAllowed(Role role) {
        return role.may(route.role());
    }

    /// @param arguments that match its schema
    Answer call(Map<String, Object> arguments, AgentAccess access) {
        if (!isAllowed(access.role())) {
            String needed = route.role() == Role.ADMIN ? "admin" : "operator";
            return Answer.problem(
                    403, "this needs the role " + needed + ": mawashi mcp --role " + needed);
        }
        try {
            CallReply reply = route.action().answer(request(arguments, access));
            return reply instanceof Answer answer
                    ? answer
                    : Answer.problem(500, "this is a stream, which no tool can give");
        } catch (RuntimeException defect) {
            LOG.log(Level.ERROR, "defect in " + name, defect);
            return Answer.problem(500, "this is a defect of Mawashi; its stderr says more");
        }
    }

    private Call request(Map<String, Object> arguments, AgentAccess access) {
        Map<String, String> path = new HashMap<>();
        Map<String, List<String>> query = new HashMap<>();
        Map<String, Object> body = new LinkedHashMap<>();
        String key = null;
        for (Map.Entry<String, Object> argument : arguments.entrySet()) {
            Object value = argument.getValue();
            switch (places.getOrDefault(argument.getKey(), "body")) {
                case "path" -> path.put(argument.getKey(), text(value));
                case "query" -> query.put(argument.getKey(), texts(value));
                case "header" -> key = text(value);
                default -> body.put(argument.getKey(), value);
            }
        }
        return new Call(
                access.role(),
                WHO,
                access.user(),
                path,
                query,
                isAct() ? "application/json" : "",
                key,
                isAct() ? JsonMapper.shared().writeValueAsBytes(body) : new byte[0]);
    }

    private static List<String> texts(Object value) {
        return value instanceof List<?> values
                ? values.stream().map(ApiTool::text).toList()
                : List.of(text(value));
    }

    /// A whole number without a fraction, as 5.0 is one for a schema.
    private static String text(Object value) {
        return value instanceof Double number && number == Math.rint(number)
                ? String.format(Locale.ROOT, "%.0f", number)
                : String.valueOf(value);
    }
}
