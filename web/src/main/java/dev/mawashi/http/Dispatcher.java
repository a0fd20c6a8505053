package dev.mawashi.http;

import java.lang.System.Logger.Level;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.pathmap.MatchedResource;
import org.eclipse.jetty.http.pathmap.PathMappings;
import org.eclipse.jetty.http.pathmap.UriTemplatePathSpec;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.Promise;
import org.eclipse.jetty.util.URIUtil;
import org.eclipse.jetty.util.thread.Invocable;

/// Finds the route of a request, asks the gate, and writes the answer.
final class Dispatcher extends Handler.Abstract {
    private static final System.Logger LOG = System.getLogger(Dispatcher.class.getName());
    private static final int BODY_BYTES_MAX = 1 << 20;

    /// Of all bodies that are being read.
    private static final int BODIES_BYTES_MAX = 16 << 20;

    /// Of one that is refused and read all the same.
    private static final int DROPPED_BYTES_MAX = 16 << 10;

    /// What the addresses begin with by which programs call.
    private static final String PROGRAMS = "/api/";

    /// Nothing but our own files is loaded, and nobody shows our pages within theirs.
    private static final Map<String, String> HEADERS =
            Map.of(
                    "Content-Security-Policy",
                    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
                            + " connect-src 'self'; form-action 'self'; base-uri 'none';"
                            + " frame-ancestors 'none'",
                    "X-Content-Type-Options",
                    "nosniff",
                    "Referrer-Policy",
                    "no-referrer",
                    "Cross-Origin-Resource-Policy",
                    "same-origin",
                    "Cache-Control",
                    "no-store");

    private static final String IDEMPOTENCY_KEY = "Idempotency-Key";
    private static final Map<String, String> CLOSE = Map.of("Connection", "close");
    private static final Answer NO_BODY = Answer.text(400, "a GET has no body");

    private static final Answer TOO_MANY =
            Answer.text(503, "too many bodies are being sent at once: try again");

    private static final Answer TOO_LARGE = Answer.text(413, "a body has at most 1 MiB");

    private final PathMappings<Map<String, Route>> routes = new PathMappings<>();
    private final Gate gate;
    private final AnswerThreads threads;
    private final Outgoing outgoing = new Outgoing();

    /// Bytes of the bodies that are being read, by their heads.
    private final AtomicLong bodies = new AtomicLong();

    Dispatcher(List<Route> all, Gate gate, AnswerThreads threads) {
        this.gate = gate;
        this.threads = threads;
        Map<String, Map<String, Route>> byTemplate = new LinkedHashMap<>();
        for (Route route : all) {
            byTemplate
                    .computeIfAbsent(route.template(), _ -> new TreeMap<>())
                    .put(route.method(), route);
        }
        byTemplate.forEach(
                (template, methods) -> routes.put(new UriTemplatePathSpec(template), methods));
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        Gate.Pass pass = gate.pass(head(request));
        String path = request.getHttpURI().getCanonicalPath();
        MatchedResource<Map<String, Route>> matched = routes.getMatched(path);
        Route route = matched == null ? null : matched.getResource().get(method(request));
        Parameters parameters = Parameters.of(request);
        Answer refusal = null;
        if (matched == null) {
            refusal = Answer.text(404, "there is no such page");
        } else if (route == null) {
            refusal = notAllowed(matched.getResource());
        } else if (route.method().equals("GET") && hasBody(request)) {
            refusal = NO_BODY;
        } else if (parameters.refusal() != null) {
            refusal = parameters.refusal();
        } else if (!route.role().equals(Role.ANYBODY) && pass.refusal() != null) {
            refusal = pass.refusal();
        } else if (!pass.role().may(route.role())) {
            refusal = forbidden(pass, route);
        } else if (request.getLength() > BODY_BYTES_MAX) {
            refusal = TOO_LARGE;
        }
        if (refusal != null) {
            refuse(refusal, request, response, callback);
            return true;
        }
        UriTemplatePathSpec spec =
                (UriTemplatePathSpec) Objects.requireNonNull(matched).getPathSpec();
        Map<String, String> names = names(spec, path);
        Route found = Objects.requireNonNull(route);
        readBody(
                request,
                body ->
                        make(
                                found,
                                call(request, pass, names, parameters, body),
                                answer -> reply(answer, request, response, callback)),
                cut -> write(cut.with(CLOSE), response, callback));
        return true;
    }

    private static boolean hasBody(Request request) {
        return request.getLength() > 0 || request.getHeaders().contains("Transfer-Encoding");
    }

    /// Of a body that nobody wants the rest of a small one is read and dropped, so that the
    /// connection can be used again; after a larger one it cannot, and the client learns so.
    private void refuse(Answer refusal, Request request, Response response, Callback callback) {
        if (!hasBody(request)) {
            write(refusal, response, callback);
        } else if (request.getLength() > DROPPED_BYTES_MAX || request.getLength() < 0) {
            write(refusal.with(CLOSE), response, callback);
        } else {
            Content.Source.consumeAll(
                    request,
                    Callback.from(
                            () -> write(refusal, response, callback),
                            _ -> write(refusal.with(CLOSE), response, callback)));
        }
    }

    /// Reads a body unless there is none, or so many are being read that they would take too much
    /// memory.
    private void readBody(Request request, Consumer<byte[]> whole, Consumer<Answer> cut) {
        if (!hasBody(request)) {
            whole.accept(new byte[0]);
            return;
        }
        long length = request.getLength() < 0 ? BODY_BYTES_MAX : request.getLength();
        if (bodies.addAndGet(length) > BODIES_BYTES_MAX) {
            bodies.addAndGet(-length);
            cut.accept(TOO_MANY);
            return;
        }
        read(
                request,
                body -> {
                    bodies.addAndGet(-length);
                    whole.accept(body);
                },
                refusal -> {
                    bodies.addAndGet(-length);
                    cut.accept(refusal);
                });
    }

    private static void read(Request request, Consumer<byte[]> whole, Consumer<Answer> cut) {
        Content.Source.asByteArrayAsync(
                request,
                BODY_BYTES_MAX,
                Promise.Invocable.from(
                        Invocable.InvocationType.NON_BLOCKING,
                        whole,
                        failure -> cut.accept(refusal(failure))));
    }

    private static Answer refusal(Throwable failure) {
        return switch (failure) {
            case TimeoutException _ -> Answer.text(408, "the body comes too slowly");
            case HttpException broken ->
                    Answer.text(broken.getCode(), "the body is not in the form that HTTP wants");
            case EofException _ -> Answer.text(400, "the body is cut short");
            default -> TOO_LARGE;
        };
    }

    /// A route that reads nothing is answered at once.
    private void make(Route route, Call call, Consumer<CallReply> taking) {
        if (route.role().equals(Role.ANYBODY)) {
            taking.accept(answer(route, call));
        } else {
            threads.answer(() -> answer(route, call), taking);
        }
    }

    /// The library leaves the body out of an answer to `HEAD`.
    private static String method(Request request) {
        return request.getMethod().equals("HEAD") ? "GET" : request.getMethod();
    }

    private static Gate.Head head(Request request) {
        HttpFields headers = request.getHeaders();
        return new Gate.Head(
                method(request),
                Request.getRemoteAddr(request),
                headers.get("Host"),
                headers.get("Authorization"),
                headers.get("Sec-Fetch-Site"),
                headers.get("Origin"));
    }

    private static Answer notAllowed(Map<String, Route> methods) {
        String allowed = String.join(", ", methods.keySet());
        return Answer.text(405, "only " + allowed + " is answered here")
                .with(Map.of("Allow", allowed));
    }

    private static Answer forbidden(Gate.Pass pass, Route route) {
        return pass.role().equals(Role.ANYBODY)
                ? Gate.ask("this needs a secret")
                : Answer.text(403, "this needs the role " + route.role());
    }

    private static Map<String, String> names(UriTemplatePathSpec spec, String path) {
        Map<String, String> names = new HashMap<>();
        spec.getPathParams(path)
                .forEach((name, value) -> names.put(name, URIUtil.decodePath(value)));
        return names;
    }

    private static Call call(
            Request request,
            Gate.Pass pass,
            Map<String, String> names,
            Parameters parameters,
            byte[] body) {
        HttpFields headers = request.getHeaders();
        List<String> keys = headers.getValuesList(IDEMPOTENCY_KEY);
        return new Call(
                pass.role(),
                pass.who(),
                Request.getRemoteAddr(request),
                names,
                parameters.fields(),
                Objects.requireNonNullElse(headers.get("Content-Type"), ""),
                keys.isEmpty() ? null : String.join(", ", keys),
                body);
    }

    private static CallReply answer(Route route, Call call) {
        try {
            return route.action().answer(call);
        } catch (RuntimeException | Error defect) {
            // An Error that ended the thread would leave the caller without an answer.
            LOG.log(Level.ERROR, "defect in " + route.template(), defect);
            return Answer.text(500, "this is a defect of Mawashi; the log says more");
        }
    }

    private void reply(CallReply reply, Request request, Response response, Callback callback) {
        switch (reply) {
            case Answer answer -> write(answer, response, callback);
            case Following _ when request.getMethod().equals("HEAD") ->
                    write(Answer.of(200, "text/event-stream", ""), response, callback);
            case Following following -> {
                Answer refusal = following.stream().begin(request, response, callback);
                if (refusal != null) {
                    write(refusal, response, callback);
                }
            }
        }
    }

    static void addHeaders(HttpFields.Mutable headers) {
        HEADERS.forEach(headers::put);
    }

    /// The answer in the form for who asks there.
    private static Answer in(String path, Answer made) {
        return path.startsWith(PROGRAMS) ? made.forPrograms() : made;
    }

    private void write(Answer made, Response response, Callback callback) {
        String path = response.getRequest().getHttpURI().getCanonicalPath();
        Answer answer = in(path, outgoing.admit(in(path, made)));
        response.setStatus(answer.status());
        addHeaders(response.getHeaders());
        response.getHeaders().put(new HttpField("Content-Type", answer.contentType()));
        answer.headers().forEach(response.getHeaders()::put);
        outgoing.send(answer.body(), response, callback);
    }
}
