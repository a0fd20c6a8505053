package dev.mawashi.java;

import dev.mawashi.job.JavaJob;
import dev.mawashi.job.JobContext;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/// Jobs that a runner loads from the folder of the test classes. Their classes are not those that
/// the test itself has, so they tell through system properties and by what they throw.
public final class TestJobs {
    /// Where jobs leave what they have to say.
    static final String TOLD = "mawashi.test.told";

    private TestJobs() {}

    static void tell(String text) {
        System.setProperty(TOLD, text);
    }

    public static final class Telling implements JavaJob {
        public void perform(JobContext context, String word) {
            ClassLoader services = Thread.currentThread().getContextClassLoader();
            tell(
                    "%s jid=%s queue=%s stopping=%s services=%s"
                            .formatted(
                                    word,
                                    context.jid(),
                                    context.queue(),
                                    context.isStopping(),
                                    services.equals(getClass().getClassLoader())));
            Thread.currentThread().setContextClassLoader(null);
            Thread.currentThread().interrupt();
        }
    }

    /// What of the server a job can see.
    public static final class Looking implements JavaJob {
        public void perform(String name) throws ClassNotFoundException {
            tell(Class.forName(name).getName());
        }
    }

    /// Waits until it is interrupted.
    public static final class Waiting implements JavaJob {
        public void perform(String then) throws InterruptedException {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                switch (then) {
                    case "pass on" -> throw e;
                    case "wrap" -> throw new IllegalStateException("cut", e);
                    default -> tell("went on");
                }
            }
        }
    }

    public static final class Failing implements JavaJob {
        public void perform(String how) throws Exception {
            switch (how) {
                case "caused" -> throw new IllegalStateException("outer", new Exception("inner"));
                case "silent" -> throw new IllegalStateException();
                case "stack" -> perform(how);
                case "memory" -> throw new OutOfMemoryError("as if");
                case "link" -> throw new NoClassDefFoundError("org/left/Out");
                case "interrupted" -> throw new InterruptedException("by itself");
                case "message" -> throw new Unspeakable();
                case "long" -> throw new IllegalStateException("x".repeat(20_000));
                default -> throw new IllegalArgumentException(how);
            }
        }
    }

    static final class Unspeakable extends RuntimeException {
        private static final long serialVersionUID = 1;

        @Override
        public String getMessage() {
            throw new StackOverflowError();
        }
    }

    public static final class Unconstructed implements JavaJob {
        @SuppressWarnings("DoNotCallSuggester")
        public Unconstructed() {
            throw new IllegalStateException("no instance");
        }

        public void perform() {}
    }

    public static final class Uninitialized implements JavaJob {
        private static final int NONE = Integer.parseInt("none");

        public void perform() {
            tell("" + NONE);
        }
    }

    /// Not a job, though it looks like one.
    public static final class Impostor {
        static {
            tell("initialized");
        }

        public @Nullable Object perform() {
            return null;
        }
    }
}
