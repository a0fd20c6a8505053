package dev.mawashi.ruby.lines;

import java.util.Arrays;
import org.jcodings.Encoding;
import org.jruby.Ruby;
import org.jruby.RubyFile;
import org.jruby.RubyFixnum;
import org.jruby.RubyHash;
import org.jruby.RubyIO;
import org.jruby.RubyString;
import org.jruby.exceptions.RaiseException;
import org.jruby.runtime.Arity;
import org.jruby.runtime.Block;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;
import org.jruby.util.io.Getline;
import org.jruby.util.io.ModeFlags;
import org.jspecify.annotations.Nullable;

/// Calls of `foreach` and `each_line` with the arguments that `IO`'s own take. What `LineReader`
/// does not cover is handed to those, as it came.
final class LineCalls {
    private static final int PERMISSIONS = 0666;

    /// Separator, limit and the hash of the keywords.
    private static final int ARGUMENTS_MAX = 3;

    private LineCalls() {}

    /// `receiver.foreach(*args)`, where the receiver is `IO`, one of its subclasses or our module.
    static IRubyObject foreach(
            ThreadContext context, IRubyObject receiver, IRubyObject[] args, Block block) {
        int callInfo = ThreadContext.resetCallInfo(context);
        RubyHash options = options(callInfo, args);
        int given = args.length - (options == null ? 0 : 1);
        Arity.checkArgumentCount(context, given, 1, 4);
        if (!block.isGiven()) {
            return enumerator(context, receiver, "foreach", args, callInfo);
        }
        // Every Ruby takes a fourth argument and does nothing with it.
        if (given == 4 || isForJruby(context, options, args)) {
            // `foreach(path, hash, **{})` has no keywords.
            context.callInfo = options == null ? 0 : callInfo;
            return RubyIO.foreach(context, receiver, args, block);
        }
        RubyIO io = open(context, receiver, args[0], options);
        try {
            IRubyObject[] rest = Arrays.copyOfRange(args, 1, args.length);
            new LineCall("foreach", rest, options != null).each(context, io, block);
        } finally {
            io.close();
            context.setLastLine(context.nil);
        }
        return context.nil;
    }

    /// `io.each_line(*args)`.
    static IRubyObject eachLine(ThreadContext context, RubyIO io, IRubyObject[] args, Block block) {
        int callInfo = ThreadContext.resetCallInfo(context);
        RubyHash options = options(callInfo, args);
        if (!block.isGiven()) {
            return enumerator(context, io, "each_line", args, callInfo);
        }
        Arity.checkArgumentCount(context, args.length - (options == null ? 0 : 1), 0, 2);
        return new LineCall("each_line", args, options != null).each(context, io, block);
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

    /// Whether JRuby has to take the call: it has `open_args`, or ends in a hash that is not
    /// keywords.
    private static boolean isForJruby(
            ThreadContext context, @Nullable RubyHash options, IRubyObject[] args) {
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

    /// One call on an open IO.
    ///
    /// @param name of the method
    /// @param args separator and limit, if given, and the hash of the keywords
    private record LineCall(String name, IRubyObject[] args, boolean hasKeywords) {

        RubyIO each(ThreadContext context, RubyIO io, Block block) {
            if (!(io instanceof RubyFile)
                    || !LineReader.covers(context.runtime, io.getOpenFileChecked())) {
                return byJruby(context, io, block);
            }
            Encoding encoding = io.getReadEncoding();
            IRubyObject[] given = Arrays.copyOf(clamped(context), ARGUMENTS_MAX);
            return Getline.getlineCall(
                    context,
                    this::lines,
                    io,
                    encoding,
                    args.length,
                    given[0],
                    given[1],
                    given[2],
                    block,
                    hasKeywords);
        }

        /// JRuby reads the rest of the lines, with the same arguments.
        private RubyIO byJruby(ThreadContext context, RubyIO io, Block block) {
            // JRuby itself never ends then, where the IO is no file.
            int last = args.length - (hasKeywords ? 2 : 1);
            if (last >= 0 && args[last] instanceof RubyFixnum limit && limit.getValue() == 0) {
                throw invalidLimit(context);
            }
            context.callInfo = hasKeywords ? ThreadContext.CALL_KEYWORD : 0;
            return (RubyIO) io.each_line(context, args, block);
        }

        private RaiseException invalidLimit(ThreadContext context) {
            return context.runtime.newArgumentError("invalid limit: 0 for " + name);
        }

        /// JRuby cuts a limit off to 32 bits.
        private IRubyObject[] clamped(ThreadContext context) {
            IRubyObject[] all = args.clone();
            for (int i = 0; i < all.length; i++) {
                if (all[i] instanceof RubyFixnum limit) {
                    long value = Math.clamp(limit.getValue(), -1L, (long) LongLine.BYTES_MAX);
                    all[i] = context.runtime.newFixnum(value);
                }
            }
            return all;
        }

        private RubyIO lines(
                ThreadContext context,
                RubyIO io,
                IRubyObject separator,
                int limit,
                boolean isChomping,
                Block block) {
            if (limit == 0) {
                throw invalidLimit(context);
            }
            RubyString ending = separator.isNil() ? null : (RubyString) separator;
            LineReader reader = new LineReader(context, (RubyFile) io, ending, limit, isChomping);
            boolean setsLastLine = name.equals("foreach");
            IRubyObject line = reader.next();
            while (line != null && !line.isNil()) {
                if (setsLastLine) {
                    context.setLastLine(line);
                }
                block.yieldSpecific(context, line);
                line = reader.next();
            }
            return line == null ? byJruby(context, io, block) : io;
        }
    }
}
