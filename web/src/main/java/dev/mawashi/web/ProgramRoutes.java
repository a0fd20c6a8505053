package dev.mawashi.web;

import dev.mawashi.acts.Acts;
import dev.mawashi.acts.Tasks;
import dev.mawashi.api.Api;
import dev.mawashi.client.PayloadForm;
import dev.mawashi.desk.Desks;
import dev.mawashi.desk.ProcessQuestions;
import dev.mawashi.enqueue.EnqueueRoutes;
import dev.mawashi.http.Route;
import dev.mawashi.pages.Shells;
import dev.mawashi.pages.Templates;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/// The routes by which programs look, act and enqueue, with the connections that they use: for a
/// port, or for calls within this process.
public final class ProgramRoutes implements AutoCloseable {
    /// An answer is there, or says why not, within twice that.
    static final Duration PATIENCE = Duration.ofSeconds(1);

    /// A step of an act on many jobs takes less.
    private static final Duration STEP = Duration.ofSeconds(5);

    /// For one answer of a process, its wait for its children with it.
    private static final Duration ASK_PATIENCE = Duration.ofSeconds(6);

    private final Desks desks;
    private final Desks askers;
    private final Tasks tasks;
    private final List<Route> routes = new ArrayList<>();
    private final Pages pages;

    /// @param settings of which no access is used: whoever calls a route looks at its role
    public ProgramRoutes(WebSettings settings, InstantSource clock) {
        desks =
                new Desks(
                        number -> settings.connection("web-" + (number + 1), PATIENCE),
                        clock,
                        PATIENCE);
        askers =
                new Desks(
                        number -> settings.connection("ask-" + (number + 1), PATIENCE),
                        clock,
                        ASK_PATIENCE);
        SecureRandom random = new SecureRandom();
        tasks = new Tasks(number -> settings.connection("web-act-" + number, STEP), clock, random);
        Shells shells = new Shells(clock, "" + settings.redis(), settings.version());
        Templates templates = new Templates();
        ProcessQuestions questions = new ProcessQuestions(askers);
        Acts acts = new Acts(desks, questions, tasks, shells, templates, clock, settings.resque());
        pages = new Pages(desks, questions, shells, templates, acts, settings.resque());
        routes.addAll(acts.routes());
        routes.addAll(new Api(desks, questions, acts, clock, settings.resque()).routes());
        PayloadForm form = new PayloadForm(clock, random);
        routes.addAll(new EnqueueRoutes(desks, settings.tracing(), form).routes());
    }

    /// What programs call.
    public List<Route> routes() {
        return List.copyOf(routes);
    }

    /// The pages of the same data, for people.
    List<Route> pages() {
        return pages.routes();
    }

    Desks desks() {
        return desks;
    }

    /// Ends acts on many jobs after the step under way, and waits for their records.
    public void endActs() {
        tasks.close(STEP);
    }

    /// Has acts on many jobs end soon, and hangs up.
    @Override
    public void close() {
        tasks.close();
        desks.close();
        askers.close();
    }
}
