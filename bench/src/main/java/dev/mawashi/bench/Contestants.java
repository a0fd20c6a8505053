package dev.mawashi.bench;

import java.io.File;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// Who takes part, and how each is started: as its users do.
final class Contestants {
    private static final String ENVIRONMENT = "production";

    /// A process a job: each job writes its own line, since its process cannot add to a number.
    static final Map<String, String> EACH = Map.of("BENCH_EACH", "1");

    private final List<String> launcher;
    private final Path folder;
    private final Path app;

    /// @param app what all servers load, a Ruby file of the benchmarks
    Contestants(Ground ground, String app) {
        launcher = ground.launcher();
        folder = ground.folder();
        this.app = BenchFolder.app(app);
    }

    private Contestants(Ground ground, Path app) {
        launcher = ground.launcher();
        folder = ground.folder();
        this.app = app;
    }

    /// All load a copy of a Rails app that has the benchmarks' jobs besides.
    static Contestants ofRails(Ground ground, Path rails) {
        Path jobs = BenchFolder.app("objects.rb");
        return new Contestants(ground, BenchFolder.railsApp(ground.folder(), rails, jobs));
    }

    /// @param jobs how many it gets
    Contestant of(Row row, int jobs) {
        return switch (row.kind()) {
            case JRUBY -> ours(row, jobs, "--runner", "jruby");
            case VIRTUAL -> ours(row, jobs, "-C", virtualThreads());
            case MRI ->
                    ours(
                            row,
                            jobs,
                            "--runner",
                            "mri",
                            "--processes",
                            Integer.toString(row.processes()));
            case FORK -> ours(row, jobs, "--runner", "fork").with(EACH);
            case SIDEKIQ -> sidekiq(row, jobs, Programs.ruby(), List.of());
            case SIDEKIQ_YJIT ->
                    sidekiq(row, jobs, Programs.ruby() + " --yjit", List.of())
                            .with(Map.of("RUBYOPT", "--yjit"));
            case SIDEKIQ_JRUBY ->
                    sidekiq(row, jobs, "JRuby " + Machine.here().jruby(), jruby())
                            .with(Map.of("GEM_PATH", Programs.gemPath()));
            case RESQUE -> resque(row, jobs);
            case LOOP -> loop(row, jobs);
        };
    }

    private Contestant ours(Row row, int jobs, String... flags) {
        int slots = row.kind() == Row.Kind.FORK ? row.processes() : row.threads();
        List<String> command = new ArrayList<>(launcher);
        command.addAll(List.of("run", "-r", app.toString(), "-e", ENVIRONMENT));
        command.addAll(List.of("-q", BenchRedis.QUEUE, "-c", Integer.toString(slots)));
        command.addAll(List.of(flags));
        String form =
                switch (row.kind()) {
                    case VIRTUAL -> "runner jruby, %d virtual threads".formatted(slots);
                    case MRI ->
                            "runner mri, %s, %d children x %d threads"
                                    .formatted(Programs.ruby(), row.processes(), slots);
                    case FORK -> "runner fork, %s, %d at once".formatted(Programs.ruby(), slots);
                    default -> "runner jruby, %d threads".formatted(slots);
                };
        form = "mawashi run, " + form + ", log level warn";
        return new Contestant(row.toString(), form, command, Map.of(), 1, jobs, Intake.SIDEKIQ);
    }

    /// The config file beside which Mawashi finds its own one.
    private String virtualThreads() {
        BenchFolder.write(
                folder.resolve("virtual"), "mawashi.yml", "runner: jruby\nthreads: virtual\n");
        return BenchFolder.write(folder.resolve("virtual"), "sidekiq.yml", "---\n:timeout: 25\n")
                .toString();
    }

    /// @param ruby what runs it
    /// @param before words before the program
    private Contestant sidekiq(Row row, int jobs, String ruby, List<String> before) {
        String program = Programs.find("sidekiq").orElseThrow().toString();
        List<String> command = new ArrayList<>(before);
        command.addAll(List.of(program, "-r", app.toString()));
        command.addAll(List.of("-e", ENVIRONMENT, "-q", BenchRedis.QUEUE));
        command.addAll(List.of("-c", Integer.toString(row.threads())));
        String form =
                "%s, %s, %d processes x %d threads, log level warn"
                        .formatted(
                                Programs.firstLine(program, "--version"),
                                ruby,
                                row.processes(),
                                row.threads());
        return new Contestant(
                row.toString(), form, command, Map.of(), row.processes(), jobs, Intake.SIDEKIQ);
    }

    /// JRuby as it comes, with nothing of Mawashi.
    private static List<String> jruby() {
        List<String> words = new ArrayList<>();
        words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        words.add("-Xss2m"); // As JRuby's own launcher has it.
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(flag -> flag.startsWith("--"))
                .forEach(words::add);
        String jars =
                Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                        .filter(Contestants::isForeignJar)
                        .collect(Collectors.joining(File.pathSeparator));
        words.addAll(List.of("-cp", jars, "org.jruby.Main"));
        return words;
    }

    private static boolean isForeignJar(String path) {
        String name = path.substring(path.lastIndexOf(File.separatorChar) + 1);
        return name.endsWith(".jar") && !name.startsWith("mawashi-");
    }

    private Contestant resque(Row row, int jobs) {
        List<String> command = List.of("ruby", own("resque.rb"), app.toString());
        String form =
                "Resque %s, %s, %d workers, a fork a job"
                        .formatted(
                                Programs.resque().orElse("unknown"),
                                Programs.ruby(),
                                row.processes());
        return new Contestant(
                row.toString(), form, command, EACH, row.processes(), jobs, Intake.RESQUE);
    }

    private Contestant loop(Row row, int jobs) {
        List<String> command = List.of("ruby", own("loop.rb"), app.toString());
        int each = Math.max(1, jobs / row.processes());
        String form =
                "%s, %d processes that load the app, then fork, exit! and wait; no Redis"
                        .formatted(Programs.ruby(), row.processes());
        return new Contestant(
                        row.toString(),
                        form,
                        command,
                        EACH,
                        row.processes(),
                        each * row.processes(),
                        Intake.NONE)
                .with(Map.of("BENCH_JOBS", Integer.toString(each)));
    }

    /// A program of the benchmarks.
    private String own(String name) {
        return BenchFolder.copy(name, folder).toString();
    }
}
