package dev.mawashi.cli;

import dev.mawashi.broker.Acknowledging;
import dev.mawashi.broker.DeadLimits;
import dev.mawashi.broker.RedisBroker;
import dev.mawashi.client.Client;
import dev.mawashi.client.JobRequest;
import dev.mawashi.client.NewJob;
import dev.mawashi.client.PayloadForm;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.tracing.Traces;
import dev.mawashi.wire.JsonFields;
import dev.mawashi.wire.Payload;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `mawashi push`.
@Command(
        name = "push",
        description = "Enqueues a job, or one per line of a file.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  mawashi push Hello::Plain '\"world\"'",
            "  mawashi push Report 42 '{\"year\":2026}' --queue low --in 90s",
            "  mawashi push Report 42 --at 2026-12-24T18:00:00Z",
            "  mawashi cancel $(mawashi push Report 42 --in 1h)   # its JID is on stdout",
            "  mawashi push Report 42 --retry false --tag nightly",
            "  mawashi push Report 42 --ack disk",
            "  mawashi push Hello::Plain --bulk args.jsonl > jids  # each line is a JSON array",
        })
final class PushCommand implements Callable<Integer> {
    private static final int BULK_JOBS = 10_000;

    private final Map<String, String> environment;
    private final InstantSource clock = InstantSource.system();

    @Spec private CommandSpec spec = CommandSpec.create();

    @Mixin private RedisOption redis = new RedisOption();

    @Parameters(index = "0", paramLabel = "CLASS", description = "Job class, as Ruby spells it.")
    private String jobClass = "";

    @Parameters(
            index = "1..*",
            paramLabel = "JSON",
            description = "Arguments of perform, each a JSON value.")
    private List<String> args = new ArrayList<>();

    @Option(
            names = {"-q", "--queue"},
            paramLabel = "NAME",
            description = "Queue (default).")
    private String queue = JobRequest.QUEUE;

    @Option(
            names = "--in",
            paramLabel = "TIME",
            description = "Run it after that time: 90, 90s, 15m, 2h or 1d.")
    private @Nullable String in;

    @Option(
            names = "--at",
            paramLabel = "TIME",
            description = "Run it at that time: 2026-12-24T18:00:00Z or epoch seconds.")
    private @Nullable String at;

    @Option(
            names = "--retry",
            paramLabel = "N",
            description = "true, false, or at most so many retries (true: 25).")
    private String retry = JobRequest.RETRY;

    @Option(
            names = "--tag",
            paramLabel = "TAG",
            description = "A tag of the job; may be given several times.")
    private List<String> tags = new ArrayList<>();

    @Option(
            names = "--bulk",
            paramLabel = "FILE",
            description = "Enqueue one job per line of the file, a JSON array; - is stdin.")
    private @Nullable String bulk;

    @Mixin private AckOption ack = new AckOption();

    @Option(
            names = "--json",
            description =
                    "One JSON object: class, queue, count, at (null: now), jid (null with --bulk),"
                            + " ack (null without --ack; otherwise wanted, reached and ok)."
                            + " Without --json stdout has the JIDs, one per line.")
    private boolean isJson;

    PushCommand(Map<String, String> environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() {
        ack.check();
        Instant due = Times.due(in, at, clock.instant());
        PayloadForm form = new PayloadForm(clock, new SecureRandom());
        RedisBroker broker = new RedisBroker(redis.address(environment), DeadLimits.DEFAULT);
        RedisConnection connection = broker.connect("enqueue");
        Acknowledging acks = broker.acknowledging(connection);
        try (Client client = new Client(broker.enqueuing(connection))) {
            if (ack.isGiven()) {
                ack.prepare(connection, acks);
            }
            @Nullable NewJob job = bulk == null ? one(form, due) : null;
            long count = job == null ? pushAll(client, form, due) : store(client, List.of(job));
            AckOption.Reached reached = ack.isGiven() ? ack.await(connection, acks) : null;
            print(new Pushed(count, jid(job), job == null ? due : job.at(), reached));
            return concluded(count, reached);
        } catch (IllegalArgumentException wrong) {
            throw new WrongUse(String.valueOf(wrong.getMessage()));
        } catch (RedisFailure failure) {
            if (failure.kind() == RedisFailure.Kind.UNKNOWN) {
                throw new CommandFailure(
                        failure.reason()
                                + ": what was sent last may be stored or not, look with mawashi"
                                + " stats before pushing it again");
            }
            throw failure;
        }
    }

    private NewJob one(PayloadForm form, @Nullable Instant due) {
        return job(form, JsonArguments.array(args), due);
    }

    private NewJob job(PayloadForm form, String array, @Nullable Instant due) {
        return form.job(new JobRequest(jobClass, queue, array, due, retry, tags));
    }

    /// Enqueues jobs, and prints their JIDs at once: should a later batch fail, it is known which
    /// are there.
    private long store(Client client, List<NewJob> jobs) {
        Traces.of(client).enqueue(jobs);
        if (!isJson && !jobs.isEmpty()) {
            spec.commandLine()
                    .getOut()
                    .println(jobs.stream().map(PushCommand::jid).collect(Collectors.joining("\n")));
        }
        return jobs.size();
    }

    /// The id by which the job can be cancelled.
    private static @Nullable String jid(@Nullable NewJob job) {
        return job == null ? null : Payload.parse(job.payload()).text("jid");
    }

    private Integer concluded(long count, AckOption.@Nullable Reached reached) {
        if (reached == null || reached.isEnough()) {
            return Main.DONE;
        }
        throw new CommandFailure(
                (count == 1 ? "the job is" : "the " + count + " jobs are")
                        + " enqueued, but --ack "
                        + ack.wanted()
                        + " was not reached within "
                        + ack.patience().toMillis() / 1_000.0
                        + " s, only "
                        + reached.level()
                        + " (do not push again: they would run twice)");
    }

    private long pushAll(Client client, PayloadForm form, @Nullable Instant due) {
        if (!args.isEmpty()) {
            throw new WrongUse("arguments and --bulk do not go together: put them into the file");
        }
        long count = 0;
        List<NewJob> jobs = new ArrayList<>();
        try (BufferedReader lines = open(String.valueOf(bulk))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.isBlank()) {
                    continue;
                }
                jobs.add(job(form, line, count, jobs.size() + 1, due));
                if (jobs.size() == BULK_JOBS) {
                    count += store(client, jobs);
                    jobs.clear();
                }
            }
        } catch (NoSuchFileException missing) {
            throw new WrongUse("--bulk " + bulk + ": there is no such file");
        } catch (IOException unreadable) {
            throw new CommandFailure("--bulk " + bulk + " cannot be read: " + unreadable);
        }
        return jobs.isEmpty() ? count : count + store(client, jobs);
    }

    private NewJob job(
            PayloadForm form, String line, long stored, int more, @Nullable Instant due) {
        try {
            return job(form, line.strip(), due);
        } catch (IllegalArgumentException wrong) {
            String there = stored == 0 ? "nothing was" : "the first " + stored + " jobs are";
            throw new WrongUse(
                    "--bulk %s, job %s: %s (%s enqueued)"
                            .formatted(bulk, stored + more, wrong.getMessage(), there));
        }
    }

    private static BufferedReader open(String file) throws IOException {
        return file.equals("-")
                ? new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))
                : Files.newBufferedReader(Path.of(file));
    }

    /// @param jid of a single job
    /// @param due null for now
    /// @param reached null without `--ack`
    private record Pushed(
            long count,
            @Nullable String jid,
            @Nullable Instant due,
            AckOption.@Nullable Reached reached) {}

    /// JIDs alone are on stdout, for whoever wants to cancel the jobs later.
    private void print(Pushed pushed) {
        if (isJson) {
            spec.commandLine().getOut().println(json(pushed));
            return;
        }
        String text =
                "enqueued %s %s %s in queue %s%s%s"
                        .formatted(
                                pushed.count(),
                                pushed.count() == 1 ? "job" : "jobs",
                                jobClass,
                                queue,
                                pushed.due() == null ? "" : ", due " + pushed.due(),
                                pushed.reached() == null
                                        ? ""
                                        : ", reached " + pushed.reached().level());
        spec.commandLine().getErr().println(text);
    }

    private String json(Pushed pushed) {
        AckOption.Reached reached = pushed.reached();
        return new JsonFields()
                .text("class", jobClass)
                .text("queue", queue)
                .number("count", pushed.count())
                .time("at", Optional.ofNullable(pushed.due()))
                .text("jid", pushed.jid())
                .json("ack", reached == null ? "null" : json(reached))
                .toString();
    }

    private String json(AckOption.Reached reached) {
        return new JsonFields()
                .text("wanted", ack.wanted())
                .text("reached", reached.level())
                .flag("ok", reached.isEnough())
                .toString();
    }
}
