package dev.mawashi.answer;

import dev.mawashi.fleet.Questions;
import java.lang.management.LockInfo;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/// The stacks of all threads of this process, as text.
public final class ThreadDump {
    private static final int FRAMES_MAX = 150;

    /// Room for the note that something was cut, and for what stands before an answer.
    private static final int NOTE_BYTES = 200;

    private ThreadDump() {}

    /// The platform threads by name, each with its state, what it waits for, and its stack; first
    /// those that wait for each other for good, if there are any.
    public static String ofPlatformThreads() {
        ThreadMXBean bean = ManagementFactory.getThreadMXBean();
        StringBuilder text = new StringBuilder();
        long[] deadlocked = bean.findDeadlockedThreads();
        if (deadlocked != null) {
            text.append("These threads wait for each other and will never go on: ");
            for (ThreadInfo info : bean.getThreadInfo(deadlocked)) {
                text.append(info == null ? "(ended) " : '"' + info.getThreadName() + "\" ");
            }
            text.append("\n\n");
        }
        ThreadInfo[] all = bean.dumpAllThreads(false, false, FRAMES_MAX);
        Arrays.sort(all, Comparator.comparing(ThreadInfo::getThreadName));
        for (ThreadInfo info : all) {
            append(text, info);
        }
        return text.toString();
    }

    private static void append(StringBuilder text, ThreadInfo info) {
        text.append('"').append(info.getThreadName()).append("\" ").append(info.getThreadState());
        LockInfo lock = info.getLockInfo();
        if (lock != null) {
            text.append(" on ").append(lock);
        }
        if (info.getLockOwnerName() != null) {
            text.append(" held by \"").append(info.getLockOwnerName()).append('"');
        }
        text.append('\n').append(stack(info.getStackTrace())).append('\n');
    }

    /// A stack as lines that are indented.
    public static String stack(StackTraceElement[] frames) {
        StringBuilder text = new StringBuilder();
        for (StackTraceElement frame : frames) {
            text.append("    at ").append(frame).append('\n');
        }
        return text.toString();
    }

    /// Joins parts to a text that an answer has room for. What goes beyond is cut, and the text
    /// says so in the end.
    public static String cut(List<String> parts) {
        String whole = String.join("\n", parts);
        byte[] bytes = whole.getBytes(StandardCharsets.UTF_8);
        int room = Questions.ANSWER_BYTES_MAX - NOTE_BYTES;
        if (bytes.length <= room) {
            return whole;
        }
        // Half a character at the end shows as one that cannot be read.
        return new String(bytes, 0, room, StandardCharsets.UTF_8)
                + String.format(
                        Locale.ROOT,
                        "\n... cut here: the whole has %,d bytes, an answer at most %,d\n",
                        bytes.length,
                        Questions.ANSWER_BYTES_MAX);
    }
}
