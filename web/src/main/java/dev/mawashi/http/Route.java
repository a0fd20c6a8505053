package dev.mawashi.http;

/// The action for requests of one method to one path.
///
/// @param method `GET` or `POST`; a `GET` changes nothing
/// @param template a path such as `/queues/{name}`
/// @param role who may call it
public record Route(String method, String template, Role role, Action action) {
    public static Route get(String template, Role role, Action action) {
        return new Route("GET", template, role, action);
    }

    public static Route post(String template, Role role, Action action) {
        return new Route("POST", template, role, action);
    }

    /// Makes the answer, on any thread of the server's.
    public interface Action {
        CallReply answer(Call call);
    }
}
