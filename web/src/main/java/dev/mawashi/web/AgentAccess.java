package dev.mawashi.web;

import dev.mawashi.http.Role;
import dev.mawashi.http.Route;
import java.util.List;

/// An agent's rights and reach.
///
/// @param role of its calls: viewer, operator or admin
/// @param user who started it, for the record of changes
/// @param version of Mawashi
/// @param routes that it may call as far as the role goes
public record AgentAccess(Role role, String user, String version, List<Route> routes) {
    public AgentAccess {
        routes = List.copyOf(routes);
    }
}
