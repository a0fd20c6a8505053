package dev.mawashi.ruby.lines;

import org.jruby.RubyArray;
import org.jruby.RubyFile;
import org.jruby.RubyFixnum;
import org.jruby.RubyIO;
import org.jruby.RubyString;
import org.jruby.runtime.Block;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;
import org.jruby.util.io.Getline;
import org.jspecify.annotations.Nullable;

/// One call on an open IO. What [LineReader] does not cover, or no longer covers, JRuby reads, with
/// the same arguments.
///
/// @param name of the method
/// @param args separator and limit, if given, and the hash of the keywords
record LineCall(String name, IRubyObject[] args, boolean hasKeywords) {
    /// Yields the lines that are left.
    ///
    /// @param setsLastLine whether `$_` is each of them
    RubyIO each(ThreadContext context, RubyIO io, boolean setsLastLine, Block block) {
        LineReader reader = reader(context, io);
        IRubyObject line = next(reader);
        while (line != null && !line.isNil()) {
            if (setsLastLine) {
                context.setLastLine(line);
            }
            block.yieldSpecific(context, line);
            line = next(reader);
        }
        if (line == null) {
            refuseLimitOfZero(context);
            tellKeywords(context);
            io.each_line(context, clamped(context), block);
        }
        return io;
    }

    /// The lines that are left.
    RubyArray<?> all(ThreadContext context, RubyIO io) {
        RubyArray<?> all = RubyArray.newArray(context);
        LineReader reader = reader(context, io);
        IRubyObject line = next(reader);
        while (line != null && !line.isNil()) {
            all.append(context, line);
            line = next(reader);
        }
        if (line == null) {
            refuseLimitOfZero(context);
            tellKeywords(context);
            all.concat(context, io.readlines(context, clamped(context)));
        }
        return all;
    }

    /// The next line, nil at the end; `$_` is that too.
    IRubyObject one(ThreadContext context, RubyIO io) {
        LineReader reader = reader(context, io);
        IRubyObject line = next(reader);
        if (line != null) {
            return context.setLastLine(line);
        }
        tellKeywords(context);
        IRubyObject[] given = clamped(context);
        return switch (given.length) {
            case 0 -> io.gets(context);
            case 1 -> io.gets(context, given[0]);
            case 2 -> io.gets(context, given[0], given[1]);
            default -> io.gets(context, given[0], given[1], given[2]);
        };
    }

    /// @return null where JRuby has to read; it also knows what a limit of 0 means
    private @Nullable LineReader reader(ThreadContext context, RubyIO io) {
        if (!(io instanceof RubyFile file)
                || !LineReader.covers(context.runtime, io.getOpenFileChecked())) {
            return null;
        }
        LineReader[] made = {null};
        IRubyObject[] given = clamped(context);
        Getline.<RubyIO, IRubyObject>getlineCall(
                context,
                (_, _, separator, limit, isChomping, _) -> {
                    if (limit != 0) {
                        RubyString ending = separator.isNil() ? null : (RubyString) separator;
                        made[0] = new LineReader(context, file, ending, limit, isChomping);
                    }
                    return context.nil;
                },
                io,
                io.getReadEncoding(),
                args.length,
                given.length > 0 ? given[0] : context.nil,
                given.length > 1 ? given[1] : context.nil,
                given.length > 2 ? given[2] : context.nil,
                Block.NULL_BLOCK,
                hasKeywords);
        return made[0];
    }

    /// @return the next line; nil at the end; null where JRuby has to read
    private static @Nullable IRubyObject next(@Nullable LineReader reader) {
        return reader == null ? null : reader.next();
    }

    /// JRuby cuts a limit off to 32 bits; where nothing is left of it, it never ends.
    private IRubyObject[] clamped(ThreadContext context) {
        IRubyObject[] all = args;
        for (int i = 0; i < args.length; i++) {
            if (args[i] instanceof RubyFixnum limit) {
                long value = Math.clamp(limit.getValue(), -1L, (long) LongLine.BYTES_MAX);
                all = args.clone();
                all[i] = context.runtime.newFixnum(value);
            }
        }
        return all;
    }

    /// JRuby itself never ends then, where the IO is no file.
    private void refuseLimitOfZero(ThreadContext context) {
        int last = args.length - (hasKeywords ? 2 : 1);
        if (last >= 0 && args[last] instanceof RubyFixnum limit && limit.getValue() == 0) {
            throw context.runtime.newArgumentError("invalid limit: 0 for " + name);
        }
    }

    private void tellKeywords(ThreadContext context) {
        context.callInfo = hasKeywords ? ThreadContext.CALL_KEYWORD : 0;
    }
}
