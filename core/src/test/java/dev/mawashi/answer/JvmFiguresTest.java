package dev.mawashi.answer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.Eventually;
import dev.mawashi.fleet.JvmView;
import dev.mawashi.fleet.Questions;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;

/// What a process tells of its JVM, read as pages read it.
class JvmFiguresTest {
    private static final Semaphore GATE = new Semaphore(0);

    private final JvmFigures figures = new JvmFigures();

    @Test
    void everyFigureIsThere() {
        JvmView jvm = JvmView.of(figures.take().json());

        assertThat(jvm.java()).isEqualTo(Runtime.version().toString());
        assertThat(jvm.vm()).isNotEmpty();
        assertThat(jvm.uptime()).isPositive();
        assertThat(jvm.processors()).isPositive();
        assertThat(jvm.cpu()).isPositive();
        assertThat(jvm.heap().used()).isPositive();
        assertThat(jvm.heap().committed()).isGreaterThanOrEqualTo(jvm.heap().used());
        assertThat(jvm.heap().max()).isPresent();
        assertThat(jvm.nonHeap().used()).isPositive();
        assertThat(jvm.codeCache().used()).isPositive();
        assertThat(jvm.codeCache().max()).isPresent();
        assertThat(jvm.pools()).extracting(JvmView.Pool::name).contains("Metaspace");
        assertThat(jvm.pools()).extracting(JvmView.Pool::isHeap).contains(true, false);
        assertThat(jvm.threads().live()).isPositive();
        assertThat(jvm.threads().peak()).isGreaterThanOrEqualTo(jvm.threads().live());
        assertThat(jvm.threads().states()).containsKey("RUNNABLE");
        assertThat(jvm.classes().loaded()).isPositive();
        assertThat(jvm.flags()).containsKey("MaxHeapSize");
    }

    @Test
    void collectionsAreToldFromTheFirstQuestionOn() {
        JvmView before = JvmView.of(figures.take().json());
        System.gc();

        Eventually.until(
                "the collection is told",
                () -> !JvmView.of(figures.take().json()).pauses().isEmpty());
        JvmView after = JvmView.of(figures.take().json());

        assertThat(before.pauses()).isEmpty();
        assertThat(after.collections()).isGreaterThan(before.collections());
        assertThat(after.pauses()).anyMatch(pause -> pause.cause().equals("System.gc()"));
        assertThat(after.longestPause()).isPresent();
        assertThat(after.pauses().getFirst().before()).isPositive();
    }

    @Test
    void theDumpHasEachThreadWithItsStack() {
        Thread waiting = Thread.ofPlatform().name("a-waiting-one").daemon().start(this::waitHere);
        Eventually.until("it waits", () -> waiting.getState() == Thread.State.WAITING);
        try {
            String dump = ThreadDump.ofPlatformThreads();
            assertThat(dump)
                    .contains("\"a-waiting-one\" WAITING on ", "    at ")
                    .contains("JvmFiguresTest.waitHere");
        } finally {
            GATE.release();
        }
    }

    private void waitHere() {
        GATE.acquireUninterruptibly();
    }

    @Test
    void whatIsTooLongIsCutWithANote() {
        String cut = ThreadDump.cut(List.of("head", "\u00e9".repeat(Questions.ANSWER_BYTES_MAX)));

        assertThat(cut.getBytes(StandardCharsets.UTF_8))
                .hasSizeLessThan(Questions.ANSWER_BYTES_MAX);
        assertThat(cut)
                .startsWith("head\n\u00e9")
                .endsWith(
                        "... cut here: the whole has 1,048,581 bytes, an answer at most 524,288\n");
        assertThat(ThreadDump.cut(List.of("a", "b"))).isEqualTo("a\nb");
    }

    @Test
    void whatIsNoAnswerHasNoFigures() {
        JvmView odd = JvmView.of("[1]");
        assertThat(odd.java()).isEmpty();
        assertThat(odd.heap().max()).isEmpty();
        assertThat(JvmView.of("{\"heap\":7,\"pools\":{},\"threads\":{\"live\":\"x\"}}").pools())
                .isEmpty();
    }
}
