package dev.mawashi.cli;

import dev.mawashi.broker.DeadLimits;
import dev.mawashi.broker.RedisBroker;
import dev.mawashi.client.Client;
import dev.mawashi.client.NewJob;
import dev.mawashi.client.PayloadForm;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.wire.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
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
import java.util.concurrent.Callable;
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
        description = "Enqueues a job, or one for each line of a file.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  mawashi push Hello::Plain '\"world\"'",
            "  mawashi push Report 42 '{\"year\":2026}' --queue low --in 90s",
            "  mawashi push Report 42 --at 2026-12-24T18:00:00Z",
            "  mawashi push Hello::Plain --bulk args.jsonl      # each line is a JSON array",
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
    private String queue = "default";

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
            names = "--bulk",
            paramLabel = "FILE",
            description = "Enqueue a job for each line of the file, a JSON array; - is stdin.")
    private @Nullable String bulk;

    @Option(names = "--json", description = "One JSON object: class, queue, count, at (null: now).")
    private boolean isJson;

    PushCommand(Map<String, String> environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() {
        Instant due = Times.due(in, at, clock.instant());
        PayloadForm form = new PayloadForm(clock, new SecureRandom());
        RedisBroker broker = new RedisBroker(redis.address(environment), DeadLimits.DEFAULT);
        try (Client client = new Client(broker.enqueuing())) {
            long count = bulk == null ? pushOne(client, form, due) : pushAll(client, form, due);
            print(count, due);
            return Main.DONE;
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

    private long pushOne(Client client, PayloadForm form, @Nullable Instant due) {
        client.enqueue(List.of(form.job(jobClass, queue, JsonArguments.array(args), due)));
        return 1;
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
                jobs.add(job(form, line, count + jobs.size() + 1, due));
                if (jobs.size() == BULK_JOBS) {
                    client.enqueue(jobs);
                    count += jobs.size();
                    jobs.clear();
                }
            }
        } catch (NoSuchFileException missing) {
            throw new WrongUse("--bulk " + bulk + ": there is no such file");
        } catch (IOException unreadable) {
            throw new CommandFailure("--bulk " + bulk + " cannot be read: " + unreadable);
        }
        if (!jobs.isEmpty()) {
            client.enqueue(jobs);
        }
        return count + jobs.size();
    }

    private NewJob job(PayloadForm form, String line, long number, @Nullable Instant due) {
        try {
            return form.job(jobClass, queue, line.strip(), due);
        } catch (IllegalArgumentException wrong) {
            throw new WrongUse(
                    "--bulk "
                            + bulk
                            + ", job "
                            + number
                            + ": "
                            + wrong.getMessage()
                            + " (the whole "
                            + BULK_JOBS
                            + " before it are enqueued, nothing after)");
        }
    }

    private static BufferedReader open(String file) throws IOException {
        return file.equals("-")
                ? new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))
                : Files.newBufferedReader(Path.of(file));
    }

    private void print(long count, @Nullable Instant due) {
        PrintWriter out = spec.commandLine().getOut();
        if (isJson) {
            out.printf(
                    "{\"class\":%s,\"queue\":%s,\"count\":%d,\"at\":%s}%n",
                    Json.quote(jobClass),
                    Json.quote(queue),
                    count,
                    due == null ? "null" : Json.quote(due.toString()));
        } else {
            String when = due == null ? "" : ", due " + due;
            out.printf(
                    "enqueued %d %s %s in queue %s%s%n",
                    count, count == 1 ? "job" : "jobs", jobClass, queue, when);
        }
    }
}
