package dev.mawashi.ruby;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jruby.RubyClass;
import org.jruby.RubyString;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;
import org.jruby.util.ByteList;

/// The job classes found so far, by the bytes of the name that payloads give.
///
/// Only names that led to a job class are kept, so that payloads with made-up names take no memory.
final class JobClasses {
    /// An app can name one class in several ways (`::A`), but never in this many.
    private static final int NAMES_MAX = 10_000;

    private final IRubyObject lookup;
    private final boolean reloads;
    private final Map<ByteList, JobClass> known = new ConcurrentHashMap<>();

    /// @param lookup the module `Mawashi::ClassLookup`
    /// @param reloads whether the app may put another class in a class's place
    JobClasses(IRubyObject lookup, boolean reloads) {
        this.lookup = lookup;
        this.reloads = reloads;
    }

    /// Finds a job class by name.
    ///
    /// @throws org.jruby.exceptions.RaiseException a NameError, when there is no such job class
    JobClass find(ThreadContext context, ByteList name) {
        JobClass found = known.get(name);
        if (found != null && !reloads) {
            return found;
        }
        RubyString rubyName = RubyString.newString(context.runtime, name.dup());
        RubyClass type = (RubyClass) lookup.callMethod(context, "job_class", rubyName);
        if (found != null && found.type().equals(type)) {
            return found;
        }
        JobClass added = new JobClass(type, WrappedNames.text(name));
        if (known.size() < NAMES_MAX) {
            known.put(name.dup(), added);
        }
        return added;
    }
}
