package dev.mawashi.ruby.lines;

import java.util.Arrays;
import org.jruby.Ruby;
import org.jruby.RubyFile;
import org.jruby.RubyHash;
import org.jruby.RubyIO;
import org.jruby.RubyString;
import org.jruby.runtime.Arity;
import org.jruby.runtime.Block;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;
import org.jruby.util.io.ModeFlags;
import org.jspecify.annotations.Nullable;

/// Calls of `foreach`, `readlines`, `each_line` and `gets` with the arguments that `IO`'s own take.
/// What [LineReader] does not cover is handed to those, as it came.
final class LineCalls {
    private static final int PERMISSIONS = 0666;

    private LineCalls() {}

    /// `receiver.foreach(*args)`, where the receiver is `IO`, one of its subclasses or our module.
    static IRubyObject foreach(
            ThreadContext context, IRubyObject receiver, IRubyObject[] args, Block block) {
        int callInfo = ThreadContext.resetCallInfo(context);
        RubyHash options = options(callInfo, args);
        int given = checkedArguments(context, args, options, 1, 4);
        if (!block.isGiven()) {
            return enumerator(context, receiver, "foreach", args, callInfo);
        }
        if (isForJruby(context, given, options, args)) {
            // `foreach(path, hash, **{})` has no keywords.
            context.callInfo = options == null ? 0 : callInfo;
            return RubyIO.foreach(context, receiver, args, block);
        }
        RubyIO io = open(context, receiver, args[0], options);
        try {
            call("foreach", args, 1, options).each(context, io, true, block);
        } finally {
            io.close();
            context.setLastLine(context.nil);
        }
        return context.nil;
    }

    /// `receiver.readlines(*args)`, where the receiver is as that of `foreach`.
    static IRubyObject readlines(
            ThreadContext context, IRubyObject receiver, IRubyObject[] args, Block block) {
        int callInfo = ThreadContext.resetCallInfo(context);
        RubyHash options = options(callInfo, args);
        int given = checkedArguments(context, args, options, 1, 4);
        if (isForJruby(context, given, options, args)) {
            context.callInfo = options == null ? 0 : callInfo;
            return RubyIO.readlines(context, receiver, args, block);
        }
        RubyIO io = open(context, receiver, args[0], options);
        try {
            return call("readlines", args, 1, options).all(context, io);
        } finally {
            io.close();
        }
    }

    /// `io.each_line(*args)`.
    static IRubyObject eachLine(ThreadContext context, RubyIO io, IRubyObject[] args, Block block) {
        int callInfo = ThreadContext.resetCallInfo(context);
        RubyHash options = options(callInfo, args);
        if (!block.isGiven()) {
            return enumerator(context, io, "each_line", args, callInfo);
        }
        checkedArguments(context, args, options, 0, 2);
        return call("each_line", args, 0, options).each(context, io, false, block);
    }

    /// `io.readlines(*args)`.
    static IRubyObject readlines(ThreadContext context, RubyIO io, IRubyObject[] args) {
        RubyHash options = options(ThreadContext.resetCallInfo(context), args);
        checkedArguments(context, args, options, 0, 2);
        return call("readlines", args, 0, options).all(context, io);
    }

    /// `io.gets(*args)`.
    static IRubyObject gets(ThreadContext context, RubyIO io, IRubyObject[] args) {
        RubyHash options = options(ThreadContext.resetCallInfo(context), args);
        checkedArguments(context, args, options, 0, 2);
        return call("gets", args, 0, options).one(context, io);
    }

    /// @param from the index of the first argument that is for the open IO
    private static LineCall call(
            String name, IRubyObject[] args, int from, @Nullable RubyHash options) {
        IRubyObject[] rest = from == 0 ? args : Arrays.copyOfRange(args, from, args.length);
        return new LineCall(name, rest, options != null);
    }

    /// @return how many there are without the keywords
    private static int checkedArguments(
            ThreadContext context,
            IRubyObject[] args,
            @Nullable RubyHash options,
            int least,
            int most) {
        int given = args.length - (options == null ? 0 : 1);
        Arity.checkArgumentCount(context, given, least, most);
        return given;
    }

    /// Makes the enumerator here, since those that JRuby's own methods return lose the keywords:
    /// `IO.foreach(path, chomp: true).to_a` raises TypeError.
    private static IRubyObject enumerator(
            ThreadContext context,
            IRubyObject receiver,
            String method,
            IRubyObject[] args,
            int callInfo) {
        IRubyObject[] all = new IRubyObject[args.length + 1];
        all[0] = context.runtime.newSymbol(method);
        System.arraycopy(args, 0, all, 1, args.length);
        context.callInfo = callInfo;
        return receiver.callMethod(context, "to_enum", all);
    }

    private static @Nullable RubyHash options(int callInfo, IRubyObject[] args) {
        return ThreadContext.hasNonemptyKeywords(callInfo)
                        && args.length > 0
                        && args[args.length - 1] instanceof RubyHash options
                ? options
                : null;
    }

    /// Whether JRuby has to take the call: it has a fourth argument, with which every Ruby does
    /// nothing, or `open_args`, or ends in a hash that is not keywords.
    private static boolean isForJruby(
            ThreadContext context, int given, @Nullable RubyHash options, IRubyObject[] args) {
        if (given == 4) {
            return true;
        }
        if (options == null) {
            return args[args.length - 1] instanceof RubyHash;
        }
        return !options.op_aref(context, context.runtime.newSymbol("open_args")).isNil();
    }

    private static RubyIO open(
            ThreadContext context,
            IRubyObject receiver,
            IRubyObject name,
            @Nullable RubyHash options) {
        Ruby runtime = context.runtime;
        RubyString path = RubyFile.get_path(context, name);
        RubyIO.failIfDirectory(runtime, path);
        IRubyObject file =
                options == null
                        ? RubyIO.ioOpen(
                                context,
                                receiver,
                                path,
                                runtime.newFixnum(ModeFlags.RDONLY),
                                runtime.newFixnum(PERMISSIONS),
                                context.nil)
                        : RubyIO.ioOpen(context, receiver, path, context.nil, context.nil, options);
        return (RubyIO) file;
    }
}
