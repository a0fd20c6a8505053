package dev.mawashi.http;

import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.pathmap.MatchedResource;
import org.eclipse.jetty.http.pathmap.PathMappings;
import org.eclipse.jetty.http.pathmap.UriTemplatePathSpec;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.Fields;
import org.eclipse.jetty.util.Promise;
import org.eclipse.jetty.util.URIUtil;
import org.eclipse.jetty.util.thread.Invocable;

/// Finds the route of a request, asks the gate, and writes the answer.
final class Dispatcher extends Handler.Abstract {
    private static final System.Logger LOG = System.getLogger(Dispatcher.class.getName());
    private static final int BODY_BYTES_MAX = 1 << 20;
    private static final int FIELDS_MAX = 100;

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

    private static final Answer TOO_LARGE =
            Answer.text(413, "the body is cut short, or over 1 MiB");

    private final PathMappings<Map<String, Route>> routes = new PathMappings<>();
    private final Gate gate;

    Dispatcher(List<Route> all, Gate gate) {
        this.gate = gate;
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
        Answer refusal = null;
        Gate.Pass pass = gate.pass(head(request));
        String path = request.getHttpURI().getCanonicalPath();
        MatchedResource<Map<String, Route>> matched = routes.getMatched(path);
        Route route = matched == null ? null : matched.getResource().get(method(request));
        if (matched == null) {
            refusal = Answer.text(404, "there is no such page");
        } else if (route == null) {
            refusal = notAllowed(matched.getResource());
        } else if (!route.role().equals(Role.ANYBODY) && pass.refusal() != null) {
            refusal = pass.refusal();
        } else if (!pass.role().may(route.role())) {
            refusal = forbidden(pass, route);
        }
        if (refusal != null) {
            write(refusal, response, callback);
            return true;
        }
        UriTemplatePathSpec spec =
                (UriTemplatePathSpec) Objects.requireNonNull(matched).getPathSpec();
        Route found = Objects.requireNonNull(route);
        Content.Source.asByteArrayAsync(
                request,
                BODY_BYTES_MAX,
                Promise.Invocable.from(
                        Invocable.InvocationType.BLOCKING,
                        body ->
                                write(
                                        answer(found, call(request, pass, spec, path, body)),
                                        response,
                                        callback),
                        _ -> write(TOO_LARGE, response, callback)));
        return true;
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
        Answer plain = Answer.text(405, "only " + allowed + " is answered here");
        return new Answer(405, plain.contentType(), plain.body(), Map.of("Allow", allowed));
    }

    private static Answer forbidden(Gate.Pass pass, Route route) {
        if (!pass.role().equals(Role.ANYBODY)) {
            return Answer.text(403, "this needs the role " + route.role());
        }
        Answer plain = Answer.text(401, "this needs a secret");
        Map<String, String> ask = Map.of("WWW-Authenticate", "Basic realm=\"mawashi\"");
        return new Answer(401, plain.contentType(), plain.body(), ask);
    }

    private static Call call(
            Request request, Gate.Pass pass, UriTemplatePathSpec spec, String path, byte[] body) {
        Map<String, String> names = new HashMap<>();
        spec.getPathParams(path)
                .forEach((name, value) -> names.put(name, URIUtil.decodePath(value)));
        Map<String, List<String>> query = new HashMap<>();
        for (Fields.Field field : Request.extractQueryParameters(request)) {
            if (query.size() < FIELDS_MAX) {
                query.put(field.getName(), field.getValues());
            }
        }
        return new Call(
                pass.role(),
                pass.who(),
                Request.getRemoteAddr(request),
                names,
                query,
                Objects.requireNonNullElse(request.getHeaders().get("Content-Type"), ""),
                body);
    }

    private static Answer answer(Route route, Call call) {
        try {
            return route.action().answer(call);
        } catch (RuntimeException defect) {
            LOG.log(Level.ERROR, "defect in " + route.template(), defect);
            return Answer.text(500, "this is a defect of Mawashi; the log tells more");
        }
    }

    static void addHeaders(HttpFields.Mutable headers) {
        HEADERS.forEach(headers::put);
    }

    private static void write(Answer answer, Response response, Callback callback) {
        response.setStatus(answer.status());
        addHeaders(response.getHeaders());
        response.getHeaders().put(new HttpField("Content-Type", answer.contentType()));
        answer.headers().forEach(response.getHeaders()::put);
        response.write(true, ByteBuffer.wrap(answer.body()), callback);
    }
}
