package dev.mawashi.cli;

import dev.mawashi.redisfacts.Durability;
import dev.mawashi.redisfacts.RedisFacts;
import dev.mawashi.redisfacts.RedisFactsReader;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `mawashi stats redis`.
@Command(
        name = "redis",
        description = "Prints the durability, load and speed of the jobs' Redis.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  mawashi stats redis",
            "  mawashi stats redis --json | jq .ping_ms",
        })
final class RedisFactsCommand implements Callable<Integer> {
    private final CommandContext context;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Mixin private RedisOption redis = new RedisOption();

    @Option(
            names = "--json",
            description =
                    "One JSON object: version, uptime_seconds, durability, memory, load,"
                            + " persistence, replication, ping_ms, keys, entries, largest (an"
                            + " estimate by samples), slow; if Redis refuses to answer, refused"
                            + " with its reason.")
    private boolean isJson;

    RedisFactsCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        try (RedisFactsReader reader =
                new RedisFactsReader(context.broker(redis).connect("stats"), System::nanoTime)) {
            RedisFacts facts = reader.read();
            if (isJson) {
                out.println(facts.json());
            } else {
                print(facts, out);
            }
            out.flush();
        }
        return Main.DONE;
    }

    private static void print(RedisFacts facts, PrintWriter out) {
        Durability durability = facts.durability();
        out.printf("durability  %s%n", durability.describe());
        if (!durability.remedy().isEmpty()) {
            out.printf("            to lose less: %s%n", durability.remedy());
        }
        out.printf("version     %s%n", facts.version());
        out.printf(
                Locale.ROOT,
                "memory      %,d bytes used, %,d at most so far, fragmentation %.2f%n",
                facts.memory().used(),
                facts.memory().peak(),
                facts.memory().fragmentation());
        out.printf(
                Locale.ROOT,
                "load        %,d commands/s, %,d clients (%,d of them wait), at most %,d%n",
                facts.load().perSecond(),
                facts.load().clients(),
                facts.load().blocked(),
                facts.load().clientsMax());
        out.printf(
                Locale.ROOT,
                "round trip  %.2f ms (%.2f to %.2f)%n",
                facts.medianPing() / 1e6,
                facts.pings().getFirst() / 1e6,
                facts.pings().getLast() / 1e6);
        facts.persistence().troubles().forEach(one -> out.printf("trouble     %s%n", one));
        printTables(facts, out);
    }

    private static void printTables(RedisFacts facts, PrintWriter out) {
        TextTable largest = new TextTable("about, bytes", "key");
        print(
                out,
                largest,
                facts.largest(),
                one -> largest.row(TextTable.number(one.bytes()), one.key()));
        TextTable slow = new TextTable("slow, µs", "at", "command");
        print(
                out,
                slow,
                facts.slow(),
                one ->
                        slow.row(
                                TextTable.number(one.micros()),
                                "" + Instant.ofEpochSecond(one.at()),
                                one.command()));
    }

    private static <T> void print(
            PrintWriter out,
            TextTable table,
            RedisFacts.Granted<List<T>> granted,
            Consumer<T> row) {
        granted.value().ifPresent(all -> all.forEach(row));
        out.printf("%n%s", table);
        if (granted.value().isEmpty()) {
            out.printf("not reported: %s%n", granted.refusal());
        }
    }
}
