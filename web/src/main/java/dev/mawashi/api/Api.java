package dev.mawashi.api;

import dev.mawashi.acts.Acts;
import dev.mawashi.desk.Desks;
import dev.mawashi.desk.ProcessQuestions;
import dev.mawashi.http.Answer;
import dev.mawashi.http.Route;
import dev.mawashi.wire.ResqueKeys;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/// All routes that programs read by.
public final class Api {
    /// What each address under it begins with; a new version would stand beside it.
    static final String ROOT = "/api/v1";

    private static final String DESCRIPTION = "openapi.json";

    private final Desks desks;
    private final ProcessQuestions questions;
    private final Acts acts;
    private final InstantSource clock;
    private final ResqueKeys resque;

    /// @param acts what operators can change, of which programs read too
    public Api(
            Desks desks,
            ProcessQuestions questions,
            Acts acts,
            InstantSource clock,
            ResqueKeys resque) {
        this.desks = desks;
        this.questions = questions;
        this.acts = acts;
        this.clock = clock;
        this.resque = resque;
    }

    public List<Route> routes() {
        List<Route> routes = new ArrayList<>();
        byte[] description = description();
        routes.add(
                Reads.route(
                        ROOT + "/" + DESCRIPTION,
                        Set.of(),
                        _ -> new Answer(200, "application/json", description, Map.of())));
        routes.addAll(new FigureReads(desks, clock, resque).routes());
        routes.addAll(new SizeReads(desks, clock).routes());
        routes.addAll(new CronReads(desks).routes());
        routes.add(new LockReads(desks, clock).route());
        routes.addAll(new JobReads(desks, clock).routes());
        routes.addAll(new FailureReads(desks, clock, resque).routes());
        routes.addAll(new ProcessReads(questions).routes());
        routes.addAll(new ActReads(desks, acts, clock).routes());
        routes.addAll(new SidekiqStats(desks, clock).routes());
        return routes;
    }

    /// All operations in OpenAPI 3.1, those of `acts` and `enqueue` among them.
    public static byte[] description() {
        try (InputStream in = Api.class.getResourceAsStream(DESCRIPTION)) {
            return Objects.requireNonNull(in, DESCRIPTION).readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
