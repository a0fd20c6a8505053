package dev.mawashi.web;

import dev.mawashi.figures.Inspector;
import dev.mawashi.http.HttpServer;
import dev.mawashi.http.Route;
import dev.mawashi.lifecycle.Service;
import dev.mawashi.live.Live;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/// Serves the pages of a fleet, and answers probes and scrapes, with connections and threads of its
/// own: beside the fleet, or inside a server from before it waits for Redis until all has ended.
public final class WebServer implements Service {
    /// For one answer of Redis to a scrape.
    private static final Duration METRICS_PATIENCE = Duration.ofSeconds(2);

    private final ProgramRoutes programs;
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
        programs = new ProgramRoutes(settings, clock);
        probes = new Probes(vitals, settings.connection("metrics", METRICS_PATIENCE), clock);
        routes.addAll(programs.pages());
        routes.addAll(probes.routes());
        live =
                new Live(
                        new Inspector(
                                settings.connection("web-live", ProgramRoutes.PATIENCE), clock),
                        programs.desks(),
                        clock);
        routes.addAll(live.routes());
        routes.addAll(programs.routes());
        http = new HttpServer(settings.access(), routes);
    }

    /// In a process of its own.
    public static WebServer besideFleet(WebSettings settings, InstantSource clock) {
        PageVitals vitals = new PageVitals(settings.connection("probe", ProgramRoutes.PATIENCE));
        return new WebServer(settings, clock, vitals, vitals::close);
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
        programs.close();
        probes.close();
        closeVitals.run();
    }
}
