package dev.mawashi.cli;

import dev.mawashi.fleet.Asking;
import dev.mawashi.fleet.ProcessReader;
import dev.mawashi.fleet.ProcessRecord;
import dev.mawashi.fleet.WorkView;
import dev.mawashi.profile.FlameGraph;
import dev.mawashi.profile.Profile;
import dev.mawashi.profile.Sampler;
import dev.mawashi.redis.RedisConnection;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `mawashi profile`.
@Command(
        description = {
            "Samples the stacks of running jobs and adds them up.",
            "Of jobs that run now it takes up to 50 samples per second, of a busy MRI process up to"
                    + " 10. It changes nothing."
        },
        footer = {
            "  mawashi profile 8e3f4a5b6c7d8e9f0a1b2c3d",
            "  mawashi profile Report --seconds 30 --out report.html",
            "  mawashi profile web-1:4711",
        })
final class ProfileCommand implements Callable<Integer> {
    private static final int SECONDS_MAX = 600;
    private static final int LINES = 20;

    private final CommandContext context;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(
            paramLabel = "WHAT",
            description =
                    "JID of a running job, identity of a process or its beginning, or class of"
                            + " jobs.")
    private String what = "";

    @Mixin private RedisOption redis = new RedisOption();

    @Option(
            names = "--seconds",
            paramLabel = "S",
            defaultValue = "10",
            description = "Time to sample, 1 to " + SECONDS_MAX + ". Default: ${DEFAULT-VALUE}.")
    private int seconds;

    @Option(
            names = "--out",
            paramLabel = "FILE",
            description = "Also writes a flame graph there, as one HTML page.")
    private @Nullable Path file;

    @Option(
            names = "--json",
            description =
                    "One JSON object: samples, waits (for, samples), calls (call, own, total;"
                            + " samples).")
    private boolean isJson;

    ProfileCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws Exception {
        if (seconds < 1 || seconds > SECONDS_MAX) {
            throw new WrongUse("--seconds takes 1 to " + SECONDS_MAX);
        }
        if (file != null && !canBeWritten(file)) {
            throw new WrongUse("--out " + file + " cannot be written to");
        }
        try (RedisConnection connection = context.broker(redis).connect("inspect")) {
            Sampler sampler = new Sampler(new Asking(connection)::askAll);
            WrongKey.explain(
                    "processes or a process's :work",
                    "set or hash",
                    () -> {
                        sample(sampler, new ProcessReader(connection));
                        return Main.DONE;
                    });
            if (sampler.profile().samples() == 0) {
                throw new CommandFailure(TextTable.printable(sampler.nothing(what)));
            }
            show(sampler.profile());
        }
        return Main.DONE;
    }

    private static boolean canBeWritten(Path file) {
        Path folder = file.toAbsolutePath().getParent();
        return folder != null && Files.isWritable(folder) && !Files.isDirectory(file);
    }

    private void sample(Sampler sampler, ProcessReader reader) {
        List<ProcessRecord> live = reader.processes();
        List<WorkView> work = reader.work();
        boolean isJob = work.stream().anyMatch(one -> one.job().jid().equals(what));
        boolean isBeginning =
                !isJob && live.stream().anyMatch(one -> one.identity().startsWith(what));
        sampler.sample(
                isBeginning ? Identities.only(what, live).identity() : what,
                live,
                work,
                Duration.ofSeconds(seconds));
    }

    private void show(Profile profile) throws IOException {
        if (file != null) {
            Files.writeString(file, FlameGraph.html(what, profile));
        }
        PrintWriter out = spec.commandLine().getOut();
        if (isJson) {
            out.println(JobRows.escaped(profile.json(LINES)));
        } else {
            print(profile, out);
        }
        out.flush();
    }

    private static void print(Profile profile, PrintWriter out) {
        out.println(TextTable.number(profile.samples()) + " samples");
        for (Profile.Wait wait : profile.waits()) {
            out.println(
                    percent(wait.samples(), profile).strip()
                            + " seemed to wait for "
                            + wait.what());
        }
        out.println("  itself  with calls  call");
        for (Profile.Line line : profile.top(LINES)) {
            out.println(
                    percent(line.own(), profile)
                            + "    "
                            + percent(line.total(), profile)
                            + "  "
                            + TextTable.printable(line.call()));
        }
    }

    private static String percent(int samples, Profile profile) {
        return String.format(Locale.ROOT, "%6.1f %%", 100.0 * samples / profile.samples());
    }
}
