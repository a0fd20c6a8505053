package dev.mawashi.server;

import dev.mawashi.broker.DeadLimits;
import dev.mawashi.broker.RedisBroker;
import dev.mawashi.config.CapsulePlan;
import dev.mawashi.config.CapsulePlans;
import dev.mawashi.config.RunnerChoice;
import dev.mawashi.dispatch.CapsuleSettings;
import dev.mawashi.ruby.AppFlags;
import dev.mawashi.ruby.AppSettings;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// The deeds of a server with certain settings. Nothing is started for it, and Redis is not asked.
///
/// @param settings of the server, in the Redis where it would work
/// @param api the API that the app's job classes are written against; "" while no app is loaded
/// @param capsules none where only Resque's queues are served
/// @param strangers queues that `config/mawashi.yml` names and no capsule works on
public record ServerPlan(
        ServerSettings settings,
        AppSettings app,
        String api,
        List<CapsulePlan> capsules,
        Set<String> strangers) {

    /// Reads the app's config file, without the app.
    ///
    /// @param isRuby whether there is an app in Ruby
    /// @throws StartFailure when a flag or variable is not valid
    /// @throws dev.mawashi.ruby.RubyBootFailure when the config file cannot be followed
    public static AppSettings readApp(
            AppFlags flags, boolean isRuby, Map<String, String> environment) {
        return isRuby
                ? JavaSettings.withoutApp(flags, environment)
                : JavaSettings.read(flags, environment);
    }

    /// The plan of a server whose app has these settings.
    ///
    /// @throws StartFailure when a capsule cannot be as it is wanted
    /// @throws dev.mawashi.config.ConfigFailure when the settings do not fit the app's
    public static ServerPlan of(AppSettings app, ServerSettings settings) {
        return of(app, "", settings);
    }

    private static ServerPlan of(AppSettings app, String api, ServerSettings settings) {
        RunnerChoice choice = settings.runners();
        List<CapsulePlan> capsules = Apps.plan(app, choice);
        int parkedMax = ParkingShare.of(settings, app, capsules);
        for (CapsulePlan capsule : capsules) {
            CapsuleSettings _ = Pools.settings(capsule, choice.queues(), parkedMax);
        }
        return new ServerPlan(
                settings,
                app,
                api,
                Pools.servesSidekiq(settings, app) ? capsules : List.of(),
                new TreeSet<>(CapsulePlans.strangers(capsules, choice)));
    }

    /// Loads the app in each Ruby that its queues need, as a server does before its start, and ends
    /// it again. Its blocks for the start are not called.
    ///
    /// @throws StartFailure when a flag or variable is not valid
    /// @throws dev.mawashi.ruby.RubyBootFailure when the app cannot be loaded
    /// @throws dev.mawashi.children.ChildFailure when there is no such Ruby or the app cannot be
    ///   loaded there
    /// @throws dev.mawashi.config.ConfigFailure when the choice does not fit the app
    public static ServerPlan load(ServerSettings settings, Map<String, String> environment) {
        RedisBroker broker = new RedisBroker(settings.redis(), DeadLimits.DEFAULT);
        String identity = OwnName.of(environment).identity();
        try (MeetingPlace place = new MeetingPlace(settings.redis(), identity);
                Apps apps = Apps.load(settings, environment, () -> broker, identity)) {
            return of(apps.settings(), apps.describe(), place.look(apps.redis(), settings));
        }
    }
}
