package dev.mawashi.children;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Writes jobs as `mawashi/children/job_frame.rb` reads them: whether the payloads may be parsed
/// together, how many jobs there are, how long the names of their queues are together, until when
/// jobs may begin; for each job its id, the length of its queue's name and of its payload; the
/// names; the payloads as a JSON array.
///
/// Parsing all payloads at once costs a child two thirds of parsing one after the other. It is left
/// to payloads that are known to be JSON objects, since others could add up to an array with other
/// jobs in it.
final class JobFrame {
    /// More is not parsed at once, since the child does nothing else meanwhile and keeps what it
    /// made of it until the jobs have run.
    static final int TOGETHER_BYTES_MAX = 128 << 10;

    /// What the payloads of several jobs in one frame may have together; a larger one goes alone.
    static final int PAYLOADS_BYTES_MAX = 1 << 20;

    private static final int PREFIX_BYTES = 17;
    private static final int HEAD_BYTES = 14;

    /// In place of a length: the job's queue is that of the one before.
    private static final short SAME_QUEUE = (short) 0xffff;

    private JobFrame() {}

    /// As few frames as the bytes of the payloads allow, in the order of the jobs.
    ///
    /// @param until when they may begin, by the clock of `System.nanoTime`
    static List<ByteBuffer> split(List<Child.Job> jobs, long until) {
        if (jobs.size() == 1) {
            return List.of(of(jobs, until));
        }
        List<ByteBuffer> frames = new ArrayList<>(1);
        int first = 0;
        long bytes = 0;
        for (int i = 0; i < jobs.size(); i++) {
            bytes += jobs.get(i).payload().length;
            if (i > first && bytes > PAYLOADS_BYTES_MAX) {
                frames.add(of(jobs.subList(first, i), until));
                first = i;
                bytes = jobs.get(i).payload().length;
            }
        }
        frames.add(of(jobs.subList(first, jobs.size()), until));
        return frames;
    }

    /// @param jobs at least one
    static ByteBuffer of(List<Child.Job> jobs, long until) {
        int names = 0;
        int payloads = 0;
        boolean areObjects = true;
        byte[] queue = null;
        for (Child.Job job : jobs) {
            names += Arrays.equals(job.queue(), queue) ? 0 : job.queue().length;
            payloads += job.payload().length + 1;
            areObjects &= job.isObject();
            queue = job.queue();
        }
        ByteBuffer frame =
                Frame.open(
                        FrameKind.JOBS,
                        PREFIX_BYTES + jobs.size() * HEAD_BYTES + names + payloads + 1);
        frame.put((byte) (areObjects && payloads <= TOGETHER_BYTES_MAX ? 1 : 0));
        putHeads(frame.putInt(jobs.size()).putInt(names).putLong(until), jobs);
        putNames(frame, jobs);
        putPayloads(frame, jobs);
        return frame.flip();
    }

    private static void putHeads(ByteBuffer frame, List<Child.Job> jobs) {
        byte[] queue = null;
        for (Child.Job job : jobs) {
            boolean isSame = Arrays.equals(job.queue(), queue);
            frame.putLong(job.id()).putShort(isSame ? SAME_QUEUE : (short) job.queue().length);
            frame.putInt(job.payload().length);
            queue = job.queue();
        }
    }

    private static void putNames(ByteBuffer frame, List<Child.Job> jobs) {
        byte[] queue = null;
        for (Child.Job job : jobs) {
            if (!Arrays.equals(job.queue(), queue)) {
                frame.put(job.queue());
            }
            queue = job.queue();
        }
    }

    private static void putPayloads(ByteBuffer frame, List<Child.Job> jobs) {
        char before = '[';
        for (Child.Job job : jobs) {
            frame.put((byte) before).put(job.payload());
            before = ',';
        }
        frame.put((byte) ']');
    }
}
