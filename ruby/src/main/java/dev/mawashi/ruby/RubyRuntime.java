package dev.mawashi.ruby;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jruby.Ruby;
import org.jruby.RubyArray;
import org.jruby.RubyException;
import org.jruby.RubyHash;
import org.jruby.RubyInstanceConfig;
import org.jruby.api.Create;
import org.jruby.exceptions.MainExitException;
import org.jruby.exceptions.RaiseException;
import org.jruby.javasupport.JavaUtil;
import org.jruby.runtime.Constants;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;
import org.jspecify.annotations.Nullable;

/// One embedded Ruby with an app loaded into it. Boot takes seconds; a server has one.
public final class RubyRuntime implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(RubyRuntime.class.getName());

    private static final String SHIPPED_RUBY = "uri:classloader:/";
    private static final String JARS_FOLDER = "jruby.ji.nested.jar.tmpdir";
    private static final int BACKTRACE_LINES_SHOWN = 3;

    private static final int BOOT_JIT_THRESHOLD = 1_000;

    private final Ruby runtime;

    /// As it was when it was loaded, and once it has started, as it is then.
    private volatile LoadedApp app;

    private final String sidekiqVersion;
    private final AtomicBoolean isClosed = new AtomicBoolean();

    private RubyRuntime(Ruby runtime, LoadedApp app, String sidekiqVersion) {
        this.runtime = runtime;
        this.app = app;
        this.sidekiqVersion = sidekiqVersion;
    }

    /// Has Ruby copy the jars that it loads out of other jars into a folder, which must stay for as
    /// long as a runtime lives, and which its owner removes.
    ///
    /// @throws UncheckedIOException with one line for the operator
    public static void unpackJarsInto(Path folder) {
        System.setProperty(JARS_FOLDER, folder.toString());
        try {
            // The name that JRuby uses. JRuby leaves a folder that it finds made to its owner, who
            // has removed it by JRuby's end.
            Files.createDirectories(folder.resolve("jruby-" + ProcessHandle.current().pid()));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write to " + folder + ": " + e.getMessage(), e);
        }
    }

    /// Starts Ruby and loads the app. The calling thread becomes Ruby's main thread.
    ///
    /// @throws RubyBootFailure when the app cannot be loaded
    public static RubyRuntime boot(RubySettings settings) {
        RubyInstanceConfig config = config(settings);
        int calls = holdBackCompiler(config);
        Ruby runtime = Ruby.newInstance(config);
        Inheritance.limit(runtime);
        try {
            IRubyObject gem = load(runtime, settings, "mawashi/boot", "Mawashi::Boot");
            config.setJitThreshold(calls);
            ThreadContext context = runtime.getCurrentContext();
            return new RubyRuntime(
                    runtime,
                    LoadedApp.of(context, gem),
                    gem.callMethod(context, "version").asJavaString());
        } catch (RaiseException e) {
            String message = explain(shown(settings), e.getException());
            runtime.tearDown(false);
            throw new RubyBootFailure(message, e);
        } catch (RuntimeException | Error e) {
            runtime.tearDown(false);
            // JRuby takes a full disk for a defect of its own.
            String reason =
                    e.getCause() instanceof IOException disk
                            ? disk.getMessage()
                                    + " (while it copied jars into "
                                    + System.getProperty(JARS_FOLDER)
                                    + ": make room, or set TMPDIR to another folder)"
                            : e.toString();
            throw new RubyBootFailure("cannot load " + shown(settings) + ": " + reason, e);
        }
    }

    /// Runs jobs of the loaded app, as it is now.
    public RubyRunner runner() {
        return new RubyRunner(app, this::close);
    }

    /// Runs Resque's jobs of the loaded app. Closing it closes nothing else.
    public RubyRunner resqueRunner() {
        ThreadContext context = runtime.getCurrentContext();
        runtime.getLoadService().require("mawashi/resque/app");
        IRubyObject resque = LoadedApp.newInstance(context, "Mawashi::Resque::App", app.gem());
        return new RubyRunner(LoadedApp.of(context, resque), () -> {});
    }

    /// What the server is to do, now that the app is loaded.
    ///
    /// @throws RubyBootFailure when the app has set what cannot be meant
    public AppSettings settings() {
        try {
            return AppSettings.of(
                    app.gem().callMethod(runtime.getCurrentContext(), "server_settings"));
        } catch (RaiseException e) {
            throw new RubyBootFailure(explain("the app's settings", e.getException()), e);
        }
    }

    /// The settings as flags and files give them by now, without what the app's code makes of them.
    /// For a thread that calls Ruby for nothing else.
    ///
    /// @throws RubyBootFailure when they cannot be followed
    public AppSettings filesSettings(AppFlags flags) {
        ThreadContext context = runtime.getCurrentContext();
        try {
            runtime.getLoadService().require("mawashi/file_settings");
            IRubyObject[] args = {runtime.newString(sidekiqVersion), flags(runtime, flags)};
            return AppSettings.of(
                    runtime.getClassFromPath("Mawashi::FileSettings")
                            .callMethod(context, "read", args));
        } catch (RaiseException e) {
            throw new RubyBootFailure(explain("the config file", e.getException()), e);
        } finally {
            leaveThread();
        }
    }

    /// Name and version of this Ruby.
    public String description() {
        return "jruby " + Constants.VERSION;
    }

    /// Version of the app's own sidekiq gem; "" when it uses the API that Mawashi ships.
    public String sidekiqVersion() {
        return sidekiqVersion;
    }

    /// Whether runs are to be counted by class for Sidekiq's Metrics page: the app's sidekiq gem
    /// does so, unless the app has taken out its middleware.
    public boolean countsRuns() {
        return app.gem().callMethod(runtime.getCurrentContext(), "counts_runs?").isTrue();
    }

    /// The app's own connection to Redis, as it was once the app was loaded.
    public AppRedis appRedis() {
        return AppRedis.of(app.gem().callMethod(runtime.getCurrentContext(), "app_redis"));
    }

    /// Names of the job classes that are loaded by now, sorted.
    public List<String> jobClassNames() {
        ThreadContext context = runtime.getCurrentContext();
        List<String> names = new ArrayList<>();
        for (Object name :
                runtime.getClassFromPath("Mawashi::ClassLookup")
                        .callMethod(context, "loaded_names")
                        .convertToArray()) {
            names.add(String.valueOf(name));
        }
        return names;
    }

    /// The options that job classes have for their jobs, as `class_options.rb` writes them.
    public String classOptions(List<String> names) {
        ThreadContext context = runtime.getCurrentContext();
        runtime.getLoadService().require("mawashi/class_options");
        RubyArray<?> given = Create.newArray(context);
        names.forEach(name -> given.append(context, runtime.newString(name)));
        return runtime.getClassFromPath("Mawashi::ClassOptions")
                .callMethod(context, "json", given)
                .asJavaString();
    }

    /// The backtraces of all threads that are in Ruby code, each as its name and lines.
    public List<String> backtraces() {
        List<String> dumps = new ArrayList<>();
        for (Object dump :
                runtime.getClassFromPath("Mawashi::ThreadDump")
                        .callMethod(runtime.getCurrentContext(), "call")
                        .convertToArray()) {
            dumps.add(String.valueOf(dump));
        }
        return dumps;
    }

    /// Makes Ruby forget the calling thread until its next call of Ruby: a thread that Ruby code
    /// has killed could call nothing more.
    void leaveThread() {
        runtime.getThreadService().unregisterCurrentThread(runtime.getCurrentContext());
    }

    /// Calls the blocks that the app has given to `config.on` for this moment, each of them once
    /// but those for `BEAT`.
    ///
    /// @throws RubyBootFailure when one for the start raises: the server must not start then
    public void fire(LifecycleEvent event) {
        ThreadContext context = runtime.getCurrentContext();
        IRubyObject name = runtime.newSymbol(event.symbol());
        try {
            app.gem().callMethod(context, "fire", name);
            if (event == LifecycleEvent.STARTUP) {
                app = LoadedApp.of(context, app.gem());
            }
        } catch (RaiseException e) {
            throw new RubyBootFailure(
                    explain("the app (a block for :startup raised)", e.getException()), e);
        }
    }

    /// Runs a piece of Ruby, for tests.
    IRubyObject eval(String script) {
        return runtime.evalScriptlet(script);
    }

    @Override
    public void close() {
        if (isClosed.compareAndSet(false, true)) {
            try {
                runtime.tearDown(false);
            } catch (MainExitException | RaiseException atExit) {
                // The rest of the server's stop matters more than an `at_exit` block's wish.
                LOG.log(Level.WARNING, "an at_exit block of the app: " + atExit);
            }
        }
    }

    /// A boot calls hundreds of methods often enough for JRuby to compile them, and few of them
    /// ever again. They are compiled once jobs call them.
    ///
    /// @return calls before a method is compiled, as the user wants it
    private static int holdBackCompiler(RubyInstanceConfig config) {
        int calls = config.getJitThreshold();
        config.setJitThreshold(Math.max(calls, BOOT_JIT_THRESHOLD));
        return calls;
    }

    static RubyInstanceConfig config(RubySettings settings) {
        RubyInstanceConfig config = new RubyInstanceConfig();
        config.setEnvironment(settings.processEnvironment());
        config.setLoadPaths(List.of(SHIPPED_RUBY));
        return config;
    }

    /// Has `Mawashi::Boot`, or what stands for it, load the app.
    ///
    /// @param file that defines it
    /// @return its answer
    static IRubyObject load(Ruby runtime, RubySettings settings, String file, String module) {
        ThreadContext context = runtime.getCurrentContext();
        runtime.getLoadService().require(file);
        IRubyObject boot = runtime.getClassFromPath(module);
        NativeDoor door = new NativeDoor(runtime, settings.sink(), settings.iterations());
        runtime.getClassFromPath("Mawashi::Native")
                .callMethod(
                        context,
                        "connect",
                        new IRubyObject[] {
                            door.enqueueLambda(context), door.iterationLambda(context)
                        });
        String url = settings.redisUrl();
        IRubyObject redis = url == null ? context.nil : runtime.newString(url);
        RubyHash flags = flags(runtime, settings);
        IRubyObject[] args = {flags, redis};
        return boot.callMethod(context, "call", args);
    }

    /// Only what was given.
    private static RubyHash flags(Ruby runtime, AppFlags given) {
        RubyHash flags = Create.newHash(runtime.getCurrentContext());
        set(flags, "require", given.require());
        set(flags, "config_file", given.configFile());
        set(flags, "environment", given.environment());
        set(flags, "tag", given.tag());
        set(flags, "concurrency", given.concurrency());
        set(flags, "timeout", given.timeoutSeconds());
        set(flags, "verbose", given.isVerbose() ? true : null);
        set(flags, "log_json", given.isLogJson() ? true : null);
        set(flags, "second", given.isSecond() ? true : null);
        set(flags, "redact", given.hidesArguments() ? true : null);
        ThreadContext context = runtime.getCurrentContext();
        RubyArray<?> accepted = Create.newArray(context);
        given.accepted().forEach(name -> accepted.append(context, runtime.newString(name)));
        flags.fastASet(runtime.newSymbol("accept"), accepted);
        if (!given.queues().isEmpty()) {
            RubyHash queues = Create.newHash(runtime.getCurrentContext());
            given.queues()
                    .forEach((name, weight) ->
                            queues.fastASet(runtime.newString(name), runtime.newFixnum(weight)));
            set(flags, "queues", queues);
        }
        return flags;
    }

    private static RubyHash flags(Ruby runtime, RubySettings settings) {
        RubyHash flags = flags(runtime, settings.flags());
        set(flags, "identity", settings.identity());
        set(flags, "resque", settings.resque());
        set(flags, "follow", settings.followsApp() ? true : null);
        return flags;
    }

    private static void set(RubyHash flags, String name, @Nullable Object value) {
        if (value != null) {
            Ruby runtime = flags.getRuntime();
            flags.fastASet(
                    runtime.newSymbol(name),
                    JavaUtil.convertJavaToUsableRubyObject(runtime, value));
        }
    }

    private static String shown(RubySettings settings) {
        String app = Objects.requireNonNullElse(settings.flags().require(), "the app");
        return app.isEmpty() ? "the config file" : app;
    }

    /// Says what Ruby raised and where in the app, leaving out Ruby's and our own files.
    private static String explain(String what, RubyException error) {
        ThreadContext context = error.getRuntime().getCurrentContext();
        StringBuilder text = new StringBuilder();
        String errorClass = error.getMetaClass().getName(context);
        // What Mawashi itself says names the file or flag that it is about.
        if (!errorClass.equals("Mawashi::Error")) {
            text.append("cannot load ").append(what).append(": ").append(errorClass).append(": ");
        }
        text.append(error.callMethod(context, "message"));
        int shown = 0;
        for (String place : RubyErrors.backtrace(context, error)) {
            boolean isApp = !place.startsWith("uri:") && !place.startsWith("org/jruby");
            if (isApp && shown < BACKTRACE_LINES_SHOWN) {
                text.append("\n    at ").append(place);
                shown++;
            }
        }
        return text.toString();
    }
}
