package dev.mawashi.bench.rig;

import java.io.File;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// The servers that take part; each is started as its users do.
public final class Contestants {
    /// Each job writes a line of its own, since a process for a job cannot add to a number.
    public static final Map<String, String> EACH = Map.of("BENCH_EACH", "1");

    private static final Map<String, String> YJIT = Map.of("RUBYOPT", "--yjit");
    private static final String QUIET = ", log level warn";

    private final List<String> launcher;
    private final Path folder;
    private final Path app;

    private Contestants(Ground ground, Path app) {
        launcher = ground.launcher();
        folder = ground.folder();
        this.app = app;
    }

    /// All load the same app.
    ///
    /// @param name a Ruby file of the benchmarks
    public static Contestants of(Ground ground, String name) {
        return of(ground, Checkout.app(name));
    }

    /// All load an app of the caller's.
    public static Contestants of(Ground ground, Path app) {
        return new Contestants(ground, app);
    }

    /// All load a copy of a Rails app that has the benchmarks' jobs besides.
    public static Contestants ofRails(Ground ground, Path rails) {
        Path jobs = Checkout.app("objects.rb");
        return new Contestants(ground, BenchFolder.railsApp(ground.folder(), rails, jobs));
    }

    /// @param jobs how many it gets
    public Contestant of(Row row, int jobs) {
        int count = row.processes();
        int threads = row.threads();
        return switch (row.kind()) {
            case JRUBY -> ours(row, jobs, threads + " threads", "--runner", "jruby");
            case VIRTUAL -> ours(row, jobs, threads + " virtual threads", "-C", virtualThreads());
            case MRI -> mri(row, jobs, Programs.ruby());
            case MRI_YJIT -> mri(row, jobs, Programs.ruby() + " --yjit").with(YJIT);
            case FORK -> {
                String form = "%s, %s at once".formatted(Programs.ruby(), count);
                yield ours(row, jobs, form, "--runner", "fork").with(EACH);
            }
            case SIDEKIQ -> sidekiq(row, jobs, Programs.ruby(), List.of());
            case SIDEKIQ_YJIT ->
                    sidekiq(row, jobs, Programs.ruby() + " --yjit", List.of()).with(YJIT);
            case SIDEKIQ_JRUBY ->
                    sidekiq(row, jobs, "JRuby " + Machine.here().jruby(), jruby())
                            .with(Map.of("GEM_PATH", Programs.gemPath()));
            case RESQUE -> resque(row, jobs);
            case LOOP -> loop(row, jobs);
        };
    }

    private Contestant mri(Row row, int jobs, String ruby) {
        String children = row.processes() + " children x " + row.threads() + " threads";
        String count = Integer.toString(row.processes());
        return ours(row, jobs, ruby + ", " + children, "--runner", "mri", "--processes", count);
    }

    private Contestant ours(Row row, int jobs, String form, String... flags) {
        boolean isOnJruby = row.kind() == Row.Kind.JRUBY || row.kind() == Row.Kind.VIRTUAL;
        String runner = isOnJruby ? "jruby" : row.kind().word().replace("-yjit", "");
        int slots = row.kind() == Row.Kind.FORK ? row.processes() : row.threads();
        List<String> command = new ArrayList<>(launcher);
        command.addAll(List.of("run", "-r", app.toString(), "-e", "production"));
        command.addAll(List.of("-q", BenchRedis.QUEUE, "-c", Integer.toString(slots)));
        command.addAll(List.of(flags));
        String description = "mawashi run, runner " + runner + ", " + form + QUIET;
        return new Contestant(
                row.toString(), description, command, Map.of(), 1, jobs, JobSource.SIDEKIQ);
    }

    /// Writes a config file, with a `mawashi.yml` beside it that asks for virtual threads, and
    /// returns its path.
    private String virtualThreads() {
        Path configs = folder.resolve("virtual");
        BenchFolder.write(configs.resolve("mawashi.yml"), "runner: jruby\nthreads: virtual\n");
        BenchFolder.write(configs.resolve("sidekiq.yml"), "---\n:timeout: 25\n");
        return configs.resolve("sidekiq.yml").toString();
    }

    /// @param ruby what runs it
    /// @param before words before the program
    private Contestant sidekiq(Row row, int jobs, String ruby, List<String> before) {
        String program = Programs.find("sidekiq").orElseThrow().toString();
        List<String> command = new ArrayList<>(before);
        command.addAll(List.of(program, "-r", app.toString(), "-e", "production"));
        command.addAll(List.of("-q", BenchRedis.QUEUE, "-c", Integer.toString(row.threads())));
        String version = Programs.firstLine(program, "--version");
        String description =
                ("%s, %s, %s processes x %s threads" + QUIET)
                        .formatted(version, ruby, row.processes(), row.threads());
        int count = row.processes();
        return new Contestant(
                row.toString(), description, command, Map.of(), count, jobs, JobSource.SIDEKIQ);
    }

    /// JRuby as it comes, with nothing of Mawashi.
    private static List<String> jruby() {
        List<String> words = new ArrayList<>();
        words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        words.add("-Xss2m"); // As JRuby's own launcher has it.
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(flag -> flag.startsWith("--"))
                .forEach(words::add);
        String path = System.getProperty("java.class.path");
        String jars =
                Arrays.stream(path.split(File.pathSeparator, -1))
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
        String description =
                "Resque %s, %s, %s workers, a fork a job"
                        .formatted(
                                Programs.resque().orElse("unknown"),
                                Programs.ruby(),
                                row.processes());
        List<String> command = script("resque.rb");
        return new Contestant(
                row.toString(),
                description,
                command,
                EACH,
                row.processes(),
                jobs,
                JobSource.RESQUE);
    }

    private Contestant loop(Row row, int jobs) {
        int count = row.processes();
        int each = Math.max(1, jobs / count);
        String description =
                "%s, %s processes that load the app, then fork, exit! and wait; no Redis"
                        .formatted(Programs.ruby(), count);
        List<String> command = script("loop.rb");
        return new Contestant(
                        row.toString(),
                        description,
                        command,
                        EACH,
                        count,
                        each * count,
                        JobSource.NONE)
                .with(Map.of("BENCH_JOBS", Integer.toString(each)));
    }

    private List<String> script(String name) {
        return List.of("ruby", Checkout.app(name).toString(), app.toString());
    }
}
