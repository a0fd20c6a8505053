package dev.mawashi.ruby;

import java.util.ArrayList;
import java.util.List;
import org.jruby.Ruby;
import org.jruby.RubyArray;
import org.jruby.api.Create;
import org.jruby.exceptions.MainExitException;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;

/// One boot of an app that only shows what fails. The process is to do nothing else, and to end
/// after it: what the app has begun goes on.
///
/// `boot` is for one thread; another may ask meanwhile where that is.
public final class BootTrial {
    private static final String FILE = "mawashi/boot_trial";
    private static final String MODULE = "Mawashi::BootTrial";

    private final RubySettings settings;
    private final Ruby runtime;

    private BootTrial(RubySettings settings, Ruby runtime) {
        this.settings = settings;
        this.runtime = runtime;
    }

    /// Starts Ruby. The calling thread becomes Ruby's main thread.
    ///
    /// @param skipped what fails, as earlier boots have found: it is not loaded
    /// @param folder of the app
    public static BootTrial prepare(RubySettings settings, List<String> skipped, String folder) {
        Ruby runtime = Ruby.newInstance(RubyRuntime.config(settings));
        runtime.getLoadService().require(FILE);
        RubyArray<?> names = Create.newArray(runtime.getCurrentContext());
        ThreadContext context = runtime.getCurrentContext();
        skipped.forEach(name -> names.append(context, runtime.newString(name)));
        BootTrial trial = new BootTrial(settings, runtime);
        trial.call("prepare", names, runtime.newString(folder));
        return trial;
    }

    /// Loads the app.
    ///
    /// @return no words where it has loaded, or those of an `AppRedis`; otherwise seven: kind of
    ///   the fault, what was required or loaded, the line, what happened, the remedy, the gem, and
    ///   `last` where no boot can go on without it
    public List<String> boot() {
        try {
            return words(RubyRuntime.load(runtime, settings, FILE, MODULE));
        } catch (MainExitException exit) {
            return call("ended", runtime.newFixnum(exit.getStatus()));
        } catch (RuntimeException | Error e) {
            return List.of("raised", "", "", String.valueOf(e), "", "", "last");
        }
    }

    /// The same seven words for a boot that is under way and does not end.
    ///
    /// @param seconds that it has taken
    public List<String> hanging(long seconds) {
        return call("hanging", runtime.newFixnum(seconds));
    }

    /// The same seven words for a boot that is ending the process.
    public List<String> ending() {
        return call("ending");
    }

    private List<String> call(String method, IRubyObject... arguments) {
        IRubyObject module = runtime.getClassFromPath(MODULE);
        return words(module.callMethod(runtime.getCurrentContext(), method, arguments));
    }

    private static List<String> words(IRubyObject answer) {
        List<String> words = new ArrayList<>();
        if (answer instanceof RubyArray<?> array) {
            for (Object word : array) {
                words.add(String.valueOf(word));
            }
        }
        return words;
    }
}
