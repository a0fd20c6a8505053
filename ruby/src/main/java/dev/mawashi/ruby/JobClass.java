package dev.mawashi.ruby;

import org.jruby.RubyClass;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;
import org.jruby.runtime.callsite.MonomorphicCallSite;

/// A job class with the call sites that reach it. Shared by all slots.
final class JobClass {
    private final RubyClass type;
    private final String name;
    private final boolean takesJid;
    private final boolean takesContext;
    private final MonomorphicCallSite newSite = new MonomorphicCallSite("new");
    private final MonomorphicCallSite jidSite = new MonomorphicCallSite("jid=");
    private final MonomorphicCallSite contextSite = new MonomorphicCallSite("_context=");
    private final MonomorphicCallSite performSite = new MonomorphicCallSite("perform");

    /// @param name as payloads give it
    JobClass(RubyClass type, String name) {
        this.type = type;
        this.name = name;
        takesJid = type.respondsToMethod("jid=", true);
        takesContext = type.respondsToMethod("_context=", true);
    }

    RubyClass type() {
        return type;
    }

    String name() {
        return name;
    }

    /// Makes an instance as Sidekiq does for each run.
    IRubyObject instantiate(ThreadContext context, IRubyObject jid, IRubyObject runContext) {
        IRubyObject job = newSite.call(context, type, type);
        if (takesJid) {
            jidSite.call(context, type, job, jid);
        }
        if (takesContext) {
            contextSite.call(context, type, job, runContext);
        }
        return job;
    }

    /// Calls `perform`, which must be public, as it must be in Sidekiq.
    IRubyObject perform(ThreadContext context, IRubyObject job, IRubyObject[] args) {
        return switch (args.length) {
            case 0 -> performSite.call(context, type, job);
            case 1 -> performSite.call(context, type, job, args[0]);
            case 2 -> performSite.call(context, type, job, args[0], args[1]);
            case 3 -> performSite.call(context, type, job, args[0], args[1], args[2]);
            default -> performSite.call(context, type, job, args);
        };
    }
}
