package dev.mawashi.cli;

import dev.mawashi.config.MawashiFile;
import dev.mawashi.server.JvmSettings;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `mawashi config`.
@Command(
        name = "config",
        description = {
            "Prints every setting that `mawashi run` would have with the same flags, and its origin.",
            "It starts nothing and does not call Redis. Secrets are not shown. With a mistake in a"
                    + " flag, a variable or a file it prints each one on stderr and exits as"
                    + " `mawashi run` would."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  mawashi config -r . -c 5 -q critical",
            "  mawashi config --load -e production",
            "  mawashi config --check -e production",
            "  mawashi config --schema > config/mawashi.schema.json",
        })
final class ConfigCommand implements Callable<Integer> {
    private static final System.Logger LOG = System.getLogger(ConfigCommand.class.getName());

    private final Map<String, String> environment;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Mixin private RunOptions options = new RunOptions();

    @Mixin private LogOption log = new LogOption();

    @Option(
            names = "--load",
            description =
                    "Loads the app, so that settings which its code makes are shown too, and Sidekiq's"
                            + " own defaults. Blocks of config.on are not called.")
    private boolean isLoad;

    @Option(
            names = "--check",
            description =
                    "Prints only mistakes: exits with 0 where a server would start with these"
                            + " settings.")
    private boolean isCheck;

    @Option(
            names = "--json",
            description =
                    "One JSON object: settings, each with part, name, value, unit, from and reason.")
    private boolean isJson;

    @Option(
            names = "--schema",
            description = "Prints the JSON schema of config/mawashi.yml, for editors and checks.")
    private boolean isSchema;

    ConfigCommand(Map<String, String> environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() {
        if (Stream.of(isCheck, isJson, isSchema).filter(asked -> asked).count() > 1) {
            throw new WrongUse("give one of --check, --json and --schema");
        }
        PrintWriter out = spec.commandLine().getOut();
        if (isSchema) {
            out.print(MawashiFile.schema());
            out.flush();
            return Main.DONE;
        }
        ConfigReading reading = new ConfigReading(options, log, environment);
        ConfigReading.Found found = read(reading);
        if (found == null) {
            PrintWriter err = spec.commandLine().getErr();
            reading.mistakes().forEach(mistake -> err.println("mawashi: " + mistake));
            return reading.exitCode();
        }
        for (String queue : found.plan().strangers()) {
            LOG.log(
                    Level.WARNING,
                    "config/mawashi.yml names queue \""
                            + queue
                            + "\", on which this server does not work");
        }
        print(rows(found), out);
        out.flush();
        return Main.DONE;
    }

    /// What the app prints while it is loaded goes to stderr: stdout is for the settings.
    private ConfigReading.@Nullable Found read(ConfigReading reading) {
        PrintStream stdout = System.out;
        System.setOut(System.err);
        try {
            return reading.read(isLoad);
        } finally {
            System.setOut(stdout);
        }
    }

    private List<Setting> rows(ConfigReading.Found found) {
        ConfigRows.Surroundings surroundings =
                new ConfigRows.Surroundings(
                        environment,
                        flag -> spec.commandLine().getParseResult().hasMatchedOption(flag),
                        found.settings().redisSource(),
                        options.redis().namespaceSource(environment),
                        Map.entry(
                                log.isJson(environment) ? "json" : "text", log.source(environment)),
                        options.runner().reason().replaceFirst("^.*, since ", ""),
                        mawashiFile());
        String reasons = System.getProperty(JvmSettings.REASONS, "");
        return new ConfigRows(found, surroundings)
                .rows(new JvmSettings(environment, reasons).read());
    }

    private @Nullable String mawashiFile() {
        Path file = options.mawashiFile();
        return Files.exists(file) ? file.toString() : null;
    }

    private void print(List<Setting> rows, PrintWriter out) {
        if (isCheck) {
            out.println("no mistake found: " + filesOf(rows));
        } else if (isJson) {
            String settings = rows.stream().map(Setting::json).collect(Collectors.joining(","));
            out.println("{\"settings\":[" + settings + "]}");
        } else {
            Map<String, List<Setting>> parts =
                    rows.stream()
                            .collect(
                                    Collectors.groupingBy(
                                            Setting::part,
                                            LinkedHashMap::new,
                                            Collectors.toList()));
            parts.forEach((part, settings) -> {
                TextTable table = TextTable.ofText(part, "value", "from");
                settings.forEach(one -> table.row(one.name(), one.text(), one.origin()));
                out.printf("%s%n", table);
            });
        }
    }

    private static String filesOf(List<Setting> rows) {
        String files =
                rows.stream()
                        .filter(row ->
                                row.name().equals("config file")
                                        || row.name().equals("mawashi.yml"))
                        .filter(row -> row.value() != null)
                        .map(Setting::text)
                        .collect(Collectors.joining(", "));
        return files.isEmpty() ? "there is no config file" : files;
    }
}
