package dev.mawashi.server;

import dev.mawashi.event.Outage;
import dev.mawashi.metrics.EventTally;
import dev.mawashi.scrape.AlarmFigures;
import dev.mawashi.scrape.ProcessFigures;
import dev.mawashi.web.Vitals;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/// The answers of a server to probes and scrapes.
///
/// @param stage `STOPPING` or `STARTING`; "" while it works
/// @param running empty until its app is loaded
record OwnVitals(
        Supplier<String> stage,
        Supplier<Optional<RunningServer>> running,
        Outage outage,
        EventTally events)
        implements Vitals {
    static final String STOPPING = "stopping";
    static final String STARTING = "starting";

    @Override
    public String stalled() {
        return running.get().filter(server -> !server.isGoingRound()).isPresent()
                ? RunningServer.STALLED
                : "";
    }

    @Override
    public String unready() {
        String now = stage.get();
        if (now.equals(STOPPING)) {
            return now;
        }
        if (outage.isDown()) {
            return "Redis does not answer";
        }
        RunningServer server = running.get().orElse(null);
        if (server == null || !now.isEmpty()) {
            return STARTING;
        }
        return server.isQuiet() ? "quiet" : server.trouble();
    }

    @Override
    public Optional<ProcessFigures> figures() {
        Optional<RunningServer> server = running.get();
        return Optional.of(
                new ProcessFigures(
                        unready().isEmpty(),
                        server.map(RunningServer::pools).orElse(List.of()),
                        server.map(RunningServer::runsByClass).orElse(Map.of()),
                        events,
                        server.map(RunningServer::alarms).orElse(AlarmFigures.NONE),
                        server.map(RunningServer::code)));
    }
}
