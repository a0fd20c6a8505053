package dev.mawashi.ruby.lines;

import java.util.Arrays;
import org.jruby.Ruby;
import org.jruby.RubyIO;
import org.jruby.RubyModule;
import org.jruby.anno.FrameField;
import org.jruby.anno.JRubyMethod;
import org.jruby.runtime.Block;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;
import org.jruby.runtime.load.Library;

/// The Java half of `mawashi/lines.rb`, which loads it by its name.
///
/// The methods are Java's own and not Ruby methods around lambdas, since `foreach` and `gets` set
/// `$_` where they are called.
public final class LinesLibrary implements Library {

    /// Defines the methods of `Mawashi::Lines` and the two modules that `mawashi/fast_io` prepends.
    @Override
    public void load(Ruby runtime, boolean wrap) {
        ThreadContext context = runtime.getCurrentContext();
        RubyModule lines = runtime.getClassFromPath("Mawashi::Lines");
        lines.defineMethods(context, OfLines.class);
        lines.defineModuleUnder(context, "ClassMethods").defineMethods(context, OfIoClass.class);
        lines.defineModuleUnder(context, "InstanceMethods").defineMethods(context, OfIo.class);
    }

    /// Methods of `Mawashi::Lines` itself.
    public static final class OfLines {
        private OfLines() {}

        /// Whether lines are read by the server's own reader.
        @JRubyMethod(name = "fast?", meta = true)
        public static IRubyObject isFast(ThreadContext context, IRubyObject self) {
            return context.tru;
        }

        /// `Mawashi::Lines.foreach(path, *args)`.
        @JRubyMethod(name = "foreach", rest = true, meta = true, keywords = true)
        public static IRubyObject foreach(
                ThreadContext context, IRubyObject self, IRubyObject[] args, Block block) {
            return LineCalls.foreach(context, self, args, block);
        }

        /// `Mawashi::Lines.each_line(io, *args)`.
        @JRubyMethod(name = "each_line", required = 1, rest = true, meta = true, keywords = true)
        public static IRubyObject eachLine(
                ThreadContext context, IRubyObject self, IRubyObject[] args, Block block) {
            IRubyObject[] rest = Arrays.copyOfRange(args, 1, args.length);
            if (args[0] instanceof RubyIO io) {
                return LineCalls.eachLine(context, io, rest, block);
            }
            // The context says whether the call has keywords, and still does.
            return args[0].callMethod(context, "each_line", rest, block);
        }

        /// `Mawashi::Lines.readlines(path, *args)`.
        @JRubyMethod(name = "readlines", rest = true, meta = true, keywords = true)
        public static IRubyObject readlines(
                ThreadContext context, IRubyObject self, IRubyObject[] args, Block block) {
            return LineCalls.readlines(context, self, args, block);
        }
    }

    /// To be prepended to the singleton class of `IO`.
    public static final class OfIoClass {
        private OfIoClass() {}

        /// `IO.foreach(path, *args)`.
        @JRubyMethod(name = "foreach", rest = true, keywords = true)
        public static IRubyObject foreach(
                ThreadContext context, IRubyObject self, IRubyObject[] args, Block block) {
            return LineCalls.foreach(context, self, args, block);
        }

        /// `IO.readlines(path, *args)`.
        @JRubyMethod(name = "readlines", rest = true, keywords = true)
        public static IRubyObject readlines(
                ThreadContext context, IRubyObject self, IRubyObject[] args, Block block) {
            return LineCalls.readlines(context, self, args, block);
        }
    }

    /// To be prepended to `IO`.
    public static final class OfIo {
        private OfIo() {}

        /// `IO#each_line(*args)`.
        @JRubyMethod(name = "each_line", rest = true, keywords = true)
        public static IRubyObject eachLine(
                ThreadContext context, IRubyObject self, IRubyObject[] args, Block block) {
            return LineCalls.eachLine(context, (RubyIO) self, args, block);
        }

        /// `IO#readlines(*args)`.
        @JRubyMethod(name = "readlines", rest = true, keywords = true)
        public static IRubyObject readlines(
                ThreadContext context, IRubyObject self, IRubyObject[] args) {
            return LineCalls.readlines(context, (RubyIO) self, args);
        }

        /// `IO#gets(*args)`.
        @JRubyMethod(name = "gets", rest = true, keywords = true, writes = FrameField.LASTLINE)
        public static IRubyObject gets(
                ThreadContext context, IRubyObject self, IRubyObject[] args) {
            return LineCalls.gets(context, (RubyIO) self, args);
        }
    }
}
