package dev.mawashi.cli;

import dev.mawashi.doctor.BootFault;
import dev.mawashi.doctor.BootFaults;
import dev.mawashi.doctor.BootFindings;
import dev.mawashi.embedded.EmbeddedRedis;
import dev.mawashi.lifecycle.PrivateFolder;
import dev.mawashi.redis.RedisAddress;
import dev.mawashi.ruby.AppRedis;
import dev.mawashi.server.MeetingPlace;
import dev.mawashi.server.StartFailure;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Boots an app on JRuby until it loads, each time in a process of its own, which leaves out what
/// has failed before. It sees a Redis of ours, which is thrown away with all that it enqueues.
final class TrialBoots {
    private static final int FAULTS_MAX = 20;
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final List<String> words;
    private final Map<String, String> environment;
    private final Duration limit;
    private final BootFaults faults;

    private final @Nullable RedisAddress server;
    private final String source;
    private final String identity = "doctor:" + UUID.randomUUID();
    private AppRedis own = AppRedis.NONE;
    private boolean isElsewhere;
    private boolean hasLoaded;
    private @Nullable RedisAddress taken;
    private String refusal = "";

    /// @param words of the command line that asks for it
    /// @param app its folder
    /// @param limit for one boot
    /// @param server the Redis of the server to come; null leaves it alone
    /// @param source the flag or variable that names it
    TrialBoots(
            List<String> words,
            Map<String, String> environment,
            Path app,
            Duration limit,
            @Nullable RedisAddress server,
            String source) {
        this.words = List.copyOf(words);
        this.environment = Map.copyOf(environment);
        this.limit = limit;
        this.server = server;
        this.source = source;
        this.faults = new BootFaults(app);
    }

    /// The app's own connection to Redis, once it has loaded.
    AppRedis own() {
        return own;
    }

    /// The one that a server would take in place of its own; null for none.
    @Nullable RedisAddress taken() {
        return taken;
    }

    /// Why a server could not take it, though it would have to; "" when it could.
    String refusal() {
        return refusal;
    }

    /// Whether the app has loaded, and something can be said of it.
    boolean canTell(RedisAddress redis) {
        boolean isSame = own.namespace().equals(redis.namespace());
        return hasLoaded && (own.isKnown() || taken != null || !refusal.isEmpty() || !isSame);
    }

    /// Whether that leads neither where `REDIS_URL` says nor to the server's.
    boolean isElsewhere() {
        return isElsewhere;
    }

    /// @throws dev.mawashi.embedded.EmbeddedRedisFailure when no Redis can be started
    BootFindings run() throws InterruptedException {
        EmbeddedRedis redis = EmbeddedRedis.temporary(environment);
        redis.start();
        try (PrivateFolder folder = PrivateFolder.open(environment)) {
            return run(
                    new BootProcess(words, environment, redis.url(), identity, folder, limit),
                    DemoCommand.address(redis));
        } finally {
            redis.stop(PATIENCE);
        }
    }

    private BootFindings run(BootProcess process, RedisAddress thrownAway)
            throws InterruptedException {
        List<BootFault> found = new ArrayList<>();
        List<String> skipped = new ArrayList<>();
        while (found.size() < FAULTS_MAX) {
            List<String> end = boot(process, skipped, thrownAway);
            if (BootProcess.hasLoaded(end)) {
                hasLoaded = true;
                return new BootFindings(found, true);
            }
            String feature = end.get(1);
            if (skipped.contains(feature)) {
                break; // It is required where nothing may be left out.
            }
            found.add(fault(end, !found.isEmpty()));
            if (end.getLast().equals("last")) {
                break;
            }
            skipped.add(feature);
        }
        return new BootFindings(found, false);
    }

    private List<String> boot(BootProcess process, List<String> skipped, RedisAddress thrownAway)
            throws InterruptedException {
        if (server == null) {
            return process.boot(skipped);
        }
        try (MeetingPlace here = new MeetingPlace(thrownAway, identity);
                MeetingPlace there = new MeetingPlace(server, identity)) {
            List<String> end = process.boot(skipped);
            if (end.size() == AppRedis.WORDS) {
                own = AppRedis.of(end);
                look(here, thrownAway, there, server);
            }
            return end;
        }
    }

    private void look(
            MeetingPlace here, RedisAddress thrownAway, MeetingPlace there, RedisAddress server) {
        try {
            boolean isHere = here.turn(own, thrownAway, source) == null;
            taken = isHere ? null : there.turn(own, server, source);
        } catch (StartFailure failure) {
            refusal = String.valueOf(failure.getMessage());
        }
        isElsewhere = here.isUntouched() & there.isUntouched();
    }

    private BootFault fault(List<String> end, boolean isLater) {
        BootFault fault = faults.of(end);
        boolean mayFollow = isLater && fault.reason().startsWith("NameError");
        return mayFollow
                ? new BootFault(
                        fault.kind(),
                        fault.name(),
                        fault.place(),
                        fault.reason() + " (perhaps since one before is left out)",
                        fault.remedy())
                : fault;
    }
}
