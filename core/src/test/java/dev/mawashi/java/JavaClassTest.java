package dev.mawashi.java;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mawashi.job.JavaJob;
import dev.mawashi.job.JobContext;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Which classes are job classes, and which of their parameters gets which argument.
final class JavaClassTest {
    private static final List<@Nullable Object> SEEN = new ArrayList<>();

    private static final JobContext CONTEXT =
            new JobContext() {
                @Override
                public String jid() {
                    return "j1";
                }

                @Override
                public String queue() {
                    return "default";
                }

                @Override
                public boolean isStopping() {
                    return false;
                }
            };

    private static final String NO_INT =
            "must be an int: a whole number from -2147483648 to 2147483647";

    /// Notes what its subclasses are called with.
    public abstract static class Noting implements JavaJob {
        static void note(@Nullable Object... values) {
            SEEN.addAll(Arrays.asList(values));
        }
    }

    public static final class NoArguments extends Noting {
        public void perform() {
            note("called");
        }
    }

    public static final class Two extends Noting {
        public int perform(int number, List<String> words) {
            note(number, words);
            return number;
        }

        void perform(String notPublic) {
            note(notPublic);
        }
    }

    public static final class WithContext extends Noting {
        public void perform(JobContext context, String word) {
            note(context, word);
        }
    }

    public static final class Variable extends Noting {
        public void perform(String first, int... rest) {
            note(first, rest);
        }
    }

    public static final class AnyNumber extends Noting {
        public void perform(JobContext context, @Nullable Object... all) {
            note(context, all);
        }
    }

    public interface Takes<T> extends JavaJob {
        void perform(T value);
    }

    /// The compiler adds a `perform(Object)`.
    public static final class Generic extends Noting implements Takes<Long> {
        @Override
        public void perform(Long value) {
            note(value);
        }
    }

    public abstract static class Inherited extends Noting {
        public void perform(long value) {
            note(value);
        }
    }

    public static final class Heir extends Inherited {}

    @BeforeEach
    void forget() {
        SEEN.clear();
    }

    static List<Arguments> calls() {
        return List.of(
                Arguments.of(NoArguments.class, "[]", List.of("called")),
                Arguments.of(Two.class, "[7, [\"a\"]]", List.of(7, List.of("a"))),
                Arguments.of(Two.class, "[7,null]", Arrays.asList(7, null)),
                Arguments.of(WithContext.class, "[\"a\"]", List.of(CONTEXT, "a")),
                Arguments.of(Variable.class, "[\"a\",1,2]", List.of("a", new int[] {1, 2})),
                Arguments.of(Variable.class, "[\"a\"]", List.of("a", new int[0])),
                Arguments.of(
                        AnyNumber.class,
                        "[1,null,\"b\"]",
                        List.of(CONTEXT, new @Nullable Object[] {1L, null, "b"})),
                Arguments.of(AnyNumber.class, "[]", List.of(CONTEXT, new Object[0])),
                Arguments.of(Generic.class, "[3000000000]", List.of(3_000_000_000L)),
                Arguments.of(Heir.class, "[5]", List.of(5L)));
    }

    @ParameterizedTest
    @MethodSource("calls")
    void argumentsReachTheirParameters(Class<?> type, String args, List<Object> seen)
            throws Throwable {
        run(type, args);

        assertThat(SEEN).usingRecursiveComparison().isEqualTo(seen);
    }

    @Test
    void noArgsAreNoArguments() throws Throwable {
        JavaClass.of(NoArguments.class).run(CONTEXT, null);

        assertThat(SEEN).containsExactly("called");
    }

    static List<Arguments> wrongArguments() {
        String two = Two.class.getName();
        return List.of(
                Arguments.of(
                        Two.class,
                        "[3000000000,[]]",
                        two + ": argument 1 is 3000000000, " + NO_INT),
                Arguments.of(
                        Two.class,
                        "[1,[\"a\",2]]",
                        two + ": argument 2, element 2 is 2, must be a String"),
                Arguments.of(
                        Two.class,
                        "[1]",
                        two
                                + " takes 2 arguments (int, java.util.List<java.lang.String>), the job has 1"),
                Arguments.of(
                        Two.class,
                        "[1,[],3]",
                        two
                                + " takes 2 arguments (int, java.util.List<java.lang.String>), the job has 3"),
                Arguments.of(Two.class, "{}", "\"args\" of a job of " + two + " is not an array"),
                Arguments.of(
                        Variable.class,
                        "[]",
                        Variable.class.getName()
                                + " takes 1 arguments or more (java.lang.String, int[]), the job has 0"),
                Arguments.of(
                        Variable.class,
                        "[\"a\",1,\"b\"]",
                        Variable.class.getName() + ": argument 3 is \"b\", " + NO_INT),
                Arguments.of(
                        WithContext.class,
                        "[]",
                        WithContext.class.getName()
                                + " takes 1 arguments (java.lang.String), the job has 0"));
    }

    @ParameterizedTest
    @MethodSource("wrongArguments")
    void wrongArgumentsAreRefusedBeforeThereIsAnInstance(
            Class<?> type, String args, String message) {
        assertThatThrownBy(() -> run(type, args))
                .isInstanceOf(Refusal.class)
                .hasMessage(message)
                .extracting(e -> ((Refusal) e).errorClass())
                .isEqualTo("java.lang.IllegalArgumentException");
        assertThat(SEEN).isEmpty();
    }

    public static final class NotAJob {
        public void perform() {}
    }

    static final class NotPublic implements JavaJob {
        public void perform() {}
    }

    public static final class NoConstructor implements JavaJob {
        NoConstructor() {}

        public void perform() {}
    }

    public static final class NoPerform implements JavaJob {
        void perform() {}
    }

    public static final class StaticPerform implements JavaJob {
        public static void perform() {}
    }

    public static final class Ambiguous implements JavaJob {
        public void perform(int number) {}

        public void perform(String word) {}
    }

    public static final class Unfit implements JavaJob {
        public void perform(float number) {}
    }

    static List<Arguments> unfit() {
        return List.of(
                Arguments.of(NotAJob.class, " does not implement dev.mawashi.job.JavaJob"),
                Arguments.of(NotPublic.class, " is not a public class that can have instances"),
                Arguments.of(Noting.class, " is not a public class that can have instances"),
                Arguments.of(Takes.class, " is not a public class that can have instances"),
                Arguments.of(NoConstructor.class, " has no public constructor without parameters"),
                Arguments.of(NoPerform.class, " has no public method perform that is not static"),
                Arguments.of(
                        StaticPerform.class, " has no public method perform that is not static"),
                Arguments.of(
                        Ambiguous.class,
                        " has several public methods perform, must have one: (int), (java.lang.String)"),
                Arguments.of(
                        Unfit.class,
                        " has a parameter of type float, which no argument can be: see"
                                + " dev.mawashi.job.JavaJob"));
    }

    @ParameterizedTest
    @MethodSource("unfit")
    void whatIsNoJobClassIsRefused(Class<?> type, String message) {
        assertThatThrownBy(() -> JavaClass.of(type))
                .isInstanceOf(Refusal.class)
                .hasMessage("class " + type.getName() + message)
                .extracting(e -> ((Refusal) e).errorClass())
                .isEqualTo("java.lang.NoSuchMethodException");
    }

    private static void run(Class<?> type, String args) throws Throwable {
        byte[] bytes = args.getBytes(StandardCharsets.UTF_8);
        JavaClass.of(type).run(CONTEXT, new JsonInput(bytes, 0));
    }
}
