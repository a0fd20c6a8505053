package dev.mawashi.answer;

import dev.mawashi.fleet.Questions;
import java.util.concurrent.Semaphore;

/// Answers as a test wants it.
final class ScriptedAnswers implements Answers {
    final Semaphore gate = new Semaphore(0);
    final Semaphore asked = new Semaphore(0);

    @Override
    public String jvm() {
        return "{\"java\":\"25\u00e9\"}";
    }

    @Override
    public String threads() {
        asked.release();
        gate.acquireUninterruptibly();
        return "main";
    }

    @Override
    public String stacks(String jobClass) {
        return "[]";
    }

    @Override
    public String stack(String slot) {
        return switch (slot) {
            case "large" -> "x".repeat(Questions.ANSWER_BYTES_MAX);
            case "deep" -> throw new StackOverflowError();
            case "broken" -> throw new IllegalStateException("broken");
            case "gone" -> throw new Unanswerable("it has ended");
            default -> slot;
        };
    }

    @Override
    public String children() {
        return "[]";
    }

    @Override
    public String heap(String pid) {
        if (pid.equals("slow")) {
            asked.release();
            gate.acquireUninterruptibly();
        }
        if (pid.isEmpty() || pid.equals("slow")) {
            return "{\"file\":\"/tmp/jvm-1.hprof\",\"bytes\":2097152}";
        }
        throw new Unanswerable(pid + " is no child of the runner mri");
    }

    @Override
    public String restart() {
        throw new Unanswerable("not now");
    }

    @Override
    public String reload() {
        throw new Unanswerable("not here");
    }

    @Override
    public String generations() {
        return "{}";
    }
}
