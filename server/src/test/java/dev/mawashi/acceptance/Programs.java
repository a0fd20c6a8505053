package dev.mawashi.acceptance;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Starts the real programs of a test, with their ledger and their logs in one folder: `mawashi`,
/// MRI's `sidekiq`, scripts. Closing kills all of them.
public final class Programs implements AutoCloseable {
    /// Where the apps and scripts of the tests lie.
    public static final Path SCRIPTS = Path.of("src/test/ruby/acceptance").toAbsolutePath();

    /// What a developer's shell may hold and a test must not see.
    static final List<String> HIDDEN =
            List.of(
                    "GEM_HOME",
                    "GEM_PATH",
                    "BUNDLE_GEMFILE",
                    "RUBYOPT",
                    "RUBYLIB",
                    "REDIS_URL",
                    "REDIS_URL_FILE",
                    "REDIS_PROVIDER",
                    "RAILS_MAX_THREADS",
                    "DYNO",
                    "NOTIFY_SOCKET",
                    "WATCHDOG_USEC",
                    "DEBUG_INVOCATION",
                    "MAWASHI_JAVA_OPTS");

    /// As the launcher's, but for a compiler that gets a JVM of a few seconds going sooner.
    private static final List<String> JVM_FLAGS =
            List.of(
                    "-Xss16m",
                    "-Xmx512m",
                    "-XX:+UseCompactObjectHeaders",
                    "-XX:+ExitOnOutOfMemoryError",
                    "-XX:+UseSerialGC",
                    "-XX:TieredStopAtLevel=1",
                    "--enable-native-access=ALL-UNNAMED",
                    "--sun-misc-unsafe-memory-access=allow",
                    "--add-opens=java.base/java.io=ALL-UNNAMED",
                    "--add-opens=java.base/java.nio.channels=ALL-UNNAMED",
                    "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
                    "--add-opens=java.management/sun.management=ALL-UNNAMED",
                    "-Djruby.compile.invokedynamic=false",
                    "-Djruby.reify.variables=false");

    private static final ClassArchive CLASSES =
            new ClassArchive(java(), System.getProperty("java.class.path"));

    private final Path folder;
    private final String redisUrl;
    private final List<Child> children = new ArrayList<>();

    /// @param folder an empty one, for ledger and logs
    /// @param redisUrl of the Redis that they use
    public Programs(Path folder, String redisUrl) {
        this.folder = folder;
        this.redisUrl = redisUrl;
    }

    /// Starts `mawashi` with a command.
    ///
    /// @param environment what the process gets beside the machine's own
    public Child mawashi(Map<String, String> environment, String... arguments) {
        return start("mawashi", mawashiCommand(arguments), environment);
    }

    /// The words that start `mawashi` with a command.
    public static List<String> mawashiCommand(String... arguments) {
        List<String> command = new ArrayList<>(CLASSES.command());
        command.add("dev.mawashi.cli.Main");
        command.addAll(List.of(arguments));
        return command;
    }

    private static List<String> java() {
        List<String> java = new ArrayList<>();
        java.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        java.addAll(JVM_FLAGS);
        return java;
    }

    /// Starts MRI's `sidekiq` with an app.
    public Child sidekiq(String app, String... flags) {
        List<String> command = new ArrayList<>(List.of("sidekiq", "-r", app));
        command.addAll(List.of(flags));
        return start("sidekiq", command, Map.of());
    }

    /// Starts any program.
    ///
    /// @param name for its log
    public Child start(String name, List<String> command, Map<String, String> environment) {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().keySet().removeAll(HIDDEN);
        builder.environment().put("REDIS_URL", redisUrl);
        builder.environment().put("LEDGER", folder.toString());
        builder.environment().put("LC_ALL", "C.UTF-8");
        builder.environment().putAll(environment);
        Path log = folder.resolve(Path.of(name).getFileName() + "-" + children.size() + ".out");
        Child child = new Child(name, builder, log);
        children.add(child);
        return child;
    }

    /// What all of them have printed so far.
    public String logs() {
        StringBuilder logs = new StringBuilder();
        children.forEach(
                child -> logs.append("\n").append(child).append(":\n").append(child.log()));
        return logs.toString();
    }

    @Override
    public void close() {
        children.forEach(Child::close);
    }
}
