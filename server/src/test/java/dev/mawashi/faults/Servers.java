package dev.mawashi.faults;

import dev.mawashi.Eventually;
import dev.mawashi.acceptance.Child;
import dev.mawashi.acceptance.Ledger;
import dev.mawashi.acceptance.Programs;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/// Starts the servers of a scenario, which all load one app, and waits until they work: `mawashi
/// run` with the scenario's settings, or MRI's sidekiq in its place. Closing ends them.
final class Servers implements AutoCloseable {
    private static final String APP = Programs.SCRIPTS.resolve("faults.rb").toString();

    private final Rig.Settings settings;
    private final Ledger ledger;
    private final Programs programs;

    /// @param redis the address that servers are given
    Servers(Path folder, Rig.Settings settings, String redis) {
        this.settings = settings;
        ledger = new Ledger(folder);
        programs = new Programs(folder, redis);
    }

    /// Starts a server. What comes last in the flags counts.
    Child serve(String... flags) {
        if (!settings.isSidekiq()) {
            return programs.mawashi(Map.of(), run(flags)).awaitLog("working on");
        }
        List<String> all = new ArrayList<>(List.of("-c", "" + Rig.SLOTS));
        all.addAll(List.of(flags));
        Child server = programs.sidekiq(APP, all.toArray(String[]::new));
        await("sidekiq is up", () -> ledger.byPid("up").containsKey(server.pid()));
        return server;
    }

    /// Starts a server by a command that starts others.
    ///
    /// @param before words of that command
    Child serveUnder(List<String> before, String... flags) {
        List<String> command = new ArrayList<>(before);
        command.addAll(Programs.mawashiCommand(run(flags)));
        return programs.start("mawashi", command, Map.of()).awaitLog("working on");
    }

    private String[] run(String... flags) {
        List<String> all = new ArrayList<>(List.of("run", "-r", APP, "-c", "" + Rig.SLOTS));
        all.addAll(List.of("--runner", settings.runner()));
        all.addAll(List.of("--lease", "" + settings.lease(), "--sweep", "" + settings.sweep()));
        if (settings.runner().equals("mri")) {
            all.addAll(List.of("--processes", "2"));
        }
        all.addAll(List.of(flags));
        return all.toArray(String[]::new);
    }

    /// Waits for a condition; when it does not come true, the failure shows what servers printed.
    void await(String what, BooleanSupplier condition) {
        try {
            Eventually.until(what, Rig.LIMIT, condition);
        } catch (AssertionError late) {
            throw new AssertionError(late.getMessage() + programs.logs(), late);
        }
    }

    /// What all of them have printed.
    String logs() {
        return programs.logs();
    }

    @Override
    public void close() {
        programs.close();
    }
}
