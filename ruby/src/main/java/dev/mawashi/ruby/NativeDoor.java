package dev.mawashi.ruby;

import dev.mawashi.client.IterationStates;
import dev.mawashi.client.JobSink;
import dev.mawashi.client.NewJob;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import org.jcodings.specific.UTF8Encoding;
import org.jruby.Ruby;
import org.jruby.RubyArray;
import org.jruby.RubyProc;
import org.jruby.RubyString;
import org.jruby.api.Create;
import org.jruby.exceptions.RaiseException;
import org.jruby.runtime.Block;
import org.jruby.runtime.CallBlock;
import org.jruby.runtime.Signature;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;
import org.jruby.util.ByteList;

/// The Java side of `Mawashi::Native`: lambdas through which Ruby code reaches the server. No Java
/// object passes through it.
final class NativeDoor {
    private final Ruby runtime;
    private final JobSink sink;
    private final IterationStates iterations;

    NativeDoor(Ruby runtime, JobSink sink, IterationStates iterations) {
        this.runtime = runtime;
        this.sink = sink;
        this.iterations = iterations;
    }

    /// The lambda that stores an array of `[queue, payload, at or nil]`.
    IRubyObject enqueueLambda(ThreadContext context) {
        return lambda(context, this::enqueue);
    }

    /// The lambda that answers an array of words about an iterable job, see `IterationStates`.
    IRubyObject iterationLambda(ThreadContext context) {
        return lambda(context, this::iteration);
    }

    private IRubyObject lambda(
            ThreadContext context, BiFunction<ThreadContext, IRubyObject, IRubyObject> body) {
        Block block =
                CallBlock.newCallClosure(
                        context,
                        runtime.getTopSelf(),
                        Signature.ONE_ARGUMENT,
                        (caller, args, _) -> body.apply(caller, args[0]));
        return RubyProc.newProc(runtime, block, Block.Type.LAMBDA);
    }

    private IRubyObject enqueue(ThreadContext context, IRubyObject jobs) {
        RubyArray<?> entries = jobs.convertToArray();
        List<NewJob> accepted = new ArrayList<>(entries.size());
        for (int i = 0; i < entries.size(); i++) {
            accepted.add(newJob(context, entries.eltOk(i).convertToArray()));
        }
        try {
            sink.enqueue(accepted);
        } catch (RuntimeException e) {
            // Job code rescues Ruby errors; a Java one would slip through its `rescue => e`.
            throw mawashiError(String.valueOf(e.getMessage()));
        }
        return context.nil;
    }

    private IRubyObject iteration(ThreadContext context, IRubyObject words) {
        RubyArray<?> given = words.convertToArray();
        List<byte[]> asked = new ArrayList<>(given.size());
        for (int i = 0; i < given.size(); i++) {
            asked.add(given.eltOk(i).convertToString().getBytes());
        }
        try {
            RubyArray<?> answer = Create.newArray(context);
            for (byte[] word : iterations.ask(asked)) {
                ByteList bytes = new ByteList(word, UTF8Encoding.INSTANCE, false);
                answer.append(context, RubyString.newString(context.runtime, bytes));
            }
            return answer;
        } catch (RuntimeException e) {
            throw mawashiError(String.valueOf(e.getMessage()));
        }
    }

    private static NewJob newJob(ThreadContext context, RubyArray<?> entry) {
        IRubyObject at = entry.eltOk(2);
        return new NewJob(
                entry.eltOk(0).asJavaString(),
                entry.eltOk(1).convertToString().getBytes(),
                at.isNil() ? null : NewJob.moment(at.convertToFloat().asDouble(context)));
    }

    private RaiseException mawashiError(String message) {
        return runtime.newRaiseException(
                (org.jruby.RubyClass) runtime.getClassFromPath("Mawashi::Error"), message);
    }
}
