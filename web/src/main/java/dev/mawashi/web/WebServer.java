package dev.mawashi.web;

import dev.mawashi.acts.Acts;
import dev.mawashi.acts.Tasks;
import dev.mawashi.api.Api;
import dev.mawashi.client.PayloadForm;
import dev.mawashi.desk.Desks;
import dev.mawashi.desk.ProcessQuestions;
import dev.mawashi.enqueue.EnqueueRoutes;
import dev.mawashi.figures.Inspector;
import dev.mawashi.http.HttpServer;
import dev.mawashi.http.Route;
import dev.mawashi.lifecycle.Service;
import dev.mawashi.live.Live;
import dev.mawashi.pages.Shells;
import dev.mawashi.pages.Templates;
import dev.mawashi.redis.RedisConnection;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/// Serves the pages of a fleet, and answers probes and scrapes, with connections and threads of its
/// own: beside the fleet, or inside a server from before it waits for Redis until all has ended.
public final class WebServer implements Service {
    /// A page is there, or says why not, within twice that.
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    /// For one answer of Redis to a scrape.
    private static final Duration METRICS_PATIENCE = Duration.ofSeconds(2);

    /// A step of an act on many jobs takes less.
    private static final Duration STEP = Duration.ofSeconds(5);

    private final Tasks tasks;

    /// For one answer of a process to a page, its wait for its children with it.
    private static final Duration ASK_PATIENCE = Duration.ofSeconds(6);

    private final Desks desks;
    private final Desks askers;
    private final Probes probes;
    private final Runnable closeVitals;
    private final Live live;
    private final List<Route> routes = new ArrayList<>();
    private final HttpServer http;

    /// Inside a server.
    ///
    /// @param vitals the server's
    public WebServer(WebSettings settings, InstantSource clock, Vitals vitals) {
        this(settings, clock, vitals, () -> {});
    }

    private WebServer(
            WebSettings settings, InstantSource clock, Vitals vitals, Runnable closeVitals) {
        this.closeVitals = closeVitals;
        desks =
                new Desks(
                        number -> connection(settings, "web-" + (number + 1), PATIENCE),
                        clock,
                        PATIENCE);
        askers =
                new Desks(
                        number -> connection(settings, "ask-" + (number + 1), PATIENCE),
                        clock,
                        ASK_PATIENCE);
        probes = new Probes(vitals, connection(settings, "metrics", METRICS_PATIENCE), clock);
        Shells shells = new Shells(clock, "" + settings.redis(), settings.version());
        Templates templates = new Templates();
        SecureRandom random = new SecureRandom();
        tasks = new Tasks(number -> connection(settings, "web-act-" + number, STEP), clock, random);
        ProcessQuestions questions = new ProcessQuestions(askers);
        Acts acts = new Acts(desks, questions, tasks, shells, templates, clock, settings.resque());
        routes.addAll(
                new Pages(desks, questions, shells, templates, acts, settings.resque()).routes());
        routes.addAll(acts.routes());
        routes.addAll(probes.routes());
        live =
                new Live(
                        new Inspector(connection(settings, "web-live", PATIENCE), clock),
                        desks,
                        clock);
        routes.addAll(live.routes());
        routes.addAll(new Api(desks, questions, acts, clock, settings.resque()).routes());
        PayloadForm form = new PayloadForm(clock, random);
        routes.addAll(new EnqueueRoutes(desks, settings.tracing(), form).routes());
        http = new HttpServer(settings.access(), routes);
    }

    /// In a process of its own.
    public static WebServer besideFleet(WebSettings settings, InstantSource clock) {
        PageVitals vitals = new PageVitals(connection(settings, "probe", PATIENCE));
        return new WebServer(settings, clock, vitals, vitals::close);
    }

    private static RedisConnection connection(
            WebSettings settings, String name, Duration patience) {
        return new RedisConnection(settings.redis(), "mawashi-" + name, patience);
    }

    /// All that it answers.
    List<Route> routes() {
        return List.copyOf(routes);
    }

    /// @throws IllegalStateException with a message for the operator when it cannot listen there
    @Override
    public void start() {
        http.start();
        live.start();
    }

    /// Where it listens, such as `http://127.0.0.1:7433`.
    public String url() {
        return http.url();
    }

    @Override
    public void stop(Duration patience) {
        live.stop(patience);
        http.stop(patience);
        tasks.close();
        desks.close();
        askers.close();
        probes.close();
        closeVitals.run();
    }
}
