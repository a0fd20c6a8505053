package dev.mawashi.answer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mawashi.Eventually;
import dev.mawashi.event.Event;
import dev.mawashi.event.Outage;
import dev.mawashi.event.RecordedEvents;
import dev.mawashi.fleet.Asking;
import dev.mawashi.fleet.Question.Kind;
import dev.mawashi.fleet.Questions;
import dev.mawashi.fleet.Reply;
import dev.mawashi.fleet.Reply.Unanswered;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.redis.RedisServerForTests;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Questions and answers through a real Redis, from both sides.
class AnsweringIT {
    private static final RedisServerForTests SERVER = new RedisServerForTests();
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofMillis(100);
    private static final String ID = "box:42:abcdefabcdef";

    private final RedisConnection redis = SERVER.connect();
    private final Asking asking = new Asking(SERVER.connect());
    private final RecordedEvents events = new RecordedEvents();
    private final ScriptedAnswers answers = new ScriptedAnswers();
    private final Answering answering =
            new Answering(
                    () -> new Questions(SERVER.connect(), ID),
                    answers,
                    events,
                    new Outage(events, System::nanoTime));

    @AfterAll
    static void stopServer() {
        SERVER.close();
    }

    @BeforeEach
    void register() {
        SERVER.flushAll();
        redis.call("HSET", ID, "info", "{}", "mawashi", "{}");
    }

    @AfterEach
    void stop() {
        answers.gate.release(100);
        answering.stop(LONG);
        asking.close();
        redis.close();
    }

    private Reply ask(Kind kind, String about) {
        return asking.ask(ID, kind, about, LONG);
    }

    private static Reply answered(String text) {
        return new Reply.Answered(text);
    }

    private List<?> list(String... command) {
        return redis.call(command) instanceof List<?> list ? list : List.of();
    }

    private long number(String... command) {
        return redis.call(command) instanceof Long number ? number : -1;
    }

    @Test
    void aQuestionIsAnsweredAndNothingIsLeft() {
        answering.start();

        assertThat(ask(Kind.JVM, "")).isEqualTo(answered("{\"java\":\"25\u00e9\"}"));
        assertThat(ask(Kind.STACK, "1z")).isEqualTo(answered("1z"));
        assertThat(ask(Kind.CHILDREN, "")).isEqualTo(answered("[]"));
        assertThat(list("KEYS", "mw:*")).isEmpty();
        assertThat(events.all()).isEmpty();
    }

    @Test
    void othersAreAnsweredWhileAHeapIsWritten() throws InterruptedException {
        answering.start();
        CompletableFuture<Reply> heap;
        try (Asking second = new Asking(SERVER.connect())) {
            heap = CompletableFuture.supplyAsync(() -> second.ask(ID, Kind.HEAP, "slow", LONG));
            answers.asked.acquire();

            assertThat(ask(Kind.STACK, "1z")).isEqualTo(answered("1z"));
            assertThat(ask(Kind.HEAP, "")).isInstanceOf(Reply.Declined.class);
            assertThat(ask(Kind.HEAP, "").problem()).contains("writes a heap at the moment");
            assertThat(heap).isNotDone();

            answers.gate.release();
            assertThat(heap.join()).isInstanceOf(Reply.Answered.class);
        }
        Eventually.until("the next", () -> ask(Kind.HEAP, "") instanceof Reply.Answered);
        assertThat(list("KEYS", "mw:*")).isEmpty();
        assertThat(events.all()).isEmpty();
    }

    @Test
    void whoTakesNoQuestionsIsNotAskedAny() {
        redis.call("HSET", "sidekiq:1:aa", "info", "{}");
        redis.call("RPUSH", "queue:low", "{}");

        assertThat(asking.ask("sidekiq:1:aa", Kind.JVM, "", LONG)).isEqualTo(Unanswered.MUTE);
        for (String nobody : List.of("none:1:aa", "queue:low", "", "a\r\nb")) {
            assertThat(asking.ask(nobody, Kind.JVM, "", LONG)).isEqualTo(Unanswered.GONE);
        }
        assertThat(ask(Kind.STACK, "a b")).isInstanceOf(Reply.Declined.class);
        assertThat(ask(Kind.STACK, "x".repeat(101))).isInstanceOf(Reply.Declined.class);
        assertThat(list("KEYS", "mw:*")).isEmpty();
    }

    @Test
    void aProcessThatDoesNotAnswerCostsTheTimeThatWasSetAndIsNotAskedAnyMore() {
        assertThat(asking.ask(ID, Kind.JVM, "", SHORT)).isEqualTo(Unanswered.LATE);
        assertThat(list("KEYS", "mw:*")).isEmpty();
    }

    @Test
    void severalAreAskedAtOnceAndADeadOneHoldsUpNoAnswer() {
        redis.call("HSET", "dead:1:aa", "info", "{}", "mawashi", "{}");
        redis.call("HSET", "sidekiq:1:aa", "info", "{}");
        answering.start();

        Map<String, Reply> replies =
                asking.askAll(
                        List.of("dead:1:aa", ID, "sidekiq:1:aa"),
                        Kind.CHILDREN,
                        "",
                        Duration.ofSeconds(1));

        assertThat(replies)
                .containsExactly(
                        Map.entry("dead:1:aa", Unanswered.LATE),
                        Map.entry(ID, answered("[]")),
                        Map.entry("sidekiq:1:aa", Unanswered.MUTE));
        assertThat(asking.askAll(List.of(), Kind.JVM, "", LONG)).isEmpty();
        assertThatThrownBy(() -> asking.askAll(Collections.nCopies(101, ID), Kind.JVM, "", LONG))
                .hasMessage("101 processes at once, at most 100");
    }

    @Test
    void anAnswerThatComesTooLateExpiresAndHoldsUpNoOther() {
        answering.start();
        assertThat(asking.ask(ID, Kind.THREADS, "", SHORT)).isEqualTo(Unanswered.LATE);
        assertThat(answers.asked.tryAcquire()).isTrue();

        answers.gate.release();
        Eventually.until("the late answer", () -> list("KEYS", "mw:answer:*").size() == 1);

        String key = new String((byte[]) list("KEYS", "mw:answer:*").getFirst(), UTF_8);
        assertThat(number("TTL", key)).isBetween(1L, 60L);
        assertThat(ask(Kind.CHILDREN, "")).isEqualTo(answered("[]"));
    }

    @Test
    void whatCannotBeAnsweredIsSaidAndTheNextQuestionIsAnswered() {
        answering.start();

        assertThat(ask(Kind.STACK, "gone")).isEqualTo(new Reply.Declined("it has ended"));
        assertThat(events.all()).isEmpty();
        assertThat(ask(Kind.STACK, "broken").problem())
                .isEqualTo("it cannot answer: java.lang.IllegalStateException: broken");
        assertThat(ask(Kind.STACK, "deep").problem())
                .isEqualTo("it cannot answer: java.lang.StackOverflowError");
        assertThat(ask(Kind.STACK, "large").problem())
                .isEqualTo("its answer has 524289 bytes, which is too many");
        assertThat(ask(Kind.STACK, "fine")).isEqualTo(answered("fine"));
        assertThat(events.of(Event.Defect.class)).hasSize(2);
    }

    @Test
    void garbageAmongTheQuestionsIsDroppedAndAnUnknownQuestionDeclined() {
        redis.call(
                "RPUSH",
                "mw:questions:" + ID,
                "",
                "jvm",
                "0123456789abcdeX jvm",
                "0123456789abcdef jvm " + "x".repeat(1_000_000),
                "0123456789abcdef jvm a\nb",
                "fedcba9876543210 weather");
        answering.start();

        Object answer = redis.call("BLPOP", "mw:answer:fedcba9876543210", "20");

        assertThat(answer).isInstanceOf(List.class);
        assertThat(new String((byte[]) ((List<?>) Objects.requireNonNull(answer)).get(1), UTF_8))
                .isEqualTo("-this version does not know the question");
        assertThat(list("KEYS", "mw:*")).isEmpty();
    }

    @Test
    void anAnswerThatIsNoneIsSaid() {
        Thread asked = Thread.ofVirtual().start(this::answerWithGarbage);
        assertThat(ask(Kind.JVM, "")).isEqualTo(new Reply.Declined("its answer is none"));
        assertThat(asked).isNotNull();
    }

    private void answerWithGarbage() {
        try (RedisConnection other = SERVER.connect()) {
            if (other.call("BLPOP", "mw:questions:" + ID, "20") instanceof List<?> pair) {
                String id = new String((byte[]) pair.get(1), UTF_8).substring(0, 16);
                other.call("RPUSH", "mw:answer:" + id, "?");
            }
        }
    }

    @Test
    void noMoreThanTwentyQuestionsWaitAndTheyExpire() {
        for (int i = 0; i < 19; i++) {
            redis.call("RPUSH", "mw:questions:" + ID, "0123456789abcdef jvm");
        }
        assertThat(asking.ask(ID, Kind.JVM, "", SHORT)).isEqualTo(Unanswered.LATE);
        assertThat(number("TTL", "mw:questions:" + ID)).isBetween(1L, 60L);
        redis.call("RPUSH", "mw:questions:" + ID, "0123456789abcdef jvm");

        assertThat(asking.ask(ID, Kind.JVM, "", LONG)).isEqualTo(Unanswered.MANY);
        assertThat(number("LLEN", "mw:questions:" + ID)).isEqualTo(20);

        answering.start();
        Eventually.until("all are taken", () -> number("LLEN", "mw:questions:" + ID) == 0);
        assertThat(ask(Kind.CHILDREN, "")).isEqualTo(answered("[]"));
    }

    @Test
    void aKeyOfAWrongTypeIsToldOnceToEachSide() {
        redis.call("SET", "mw:questions:" + ID, "x");
        answering.start();

        Eventually.until("it is told", () -> events.of(Event.QuestionsRefused.class).size() == 1);
        assertThat(events.of(Event.QuestionsRefused.class).getFirst().key())
                .isEqualTo("mw:questions:" + ID);
        assertThat(ask(Kind.JVM, "")).isEqualTo(Unanswered.ODD);
    }

    @Test
    void whenRedisComesBackQuestionsAreAnsweredAgain() {
        answering.start();
        assertThat(ask(Kind.CHILDREN, "")).isEqualTo(answered("[]"));

        SERVER.kill();
        assertThatThrownBy(() -> ask(Kind.JVM, "")).isInstanceOf(RedisFailure.class);
        SERVER.crashAndStart();
        redis.close();
        redis.call("HSET", ID, "info", "{}", "mawashi", "{}");

        assertThat(ask(Kind.CHILDREN, "")).isEqualTo(answered("[]"));
        assertThat(events.of(Event.Defect.class)).isEmpty();
    }

    @Test
    void aStopDoesNotWaitForTheNextQuestion() {
        answering.start();
        assertThat(ask(Kind.CHILDREN, "")).isEqualTo(answered("[]"));

        answering.stop(LONG);

        assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .doesNotContain("mawashi-answer-1");
    }

    @Test
    void aFullRedisCarriesQuestionsAndAnswers() {
        answering.start();
        redis.call("CONFIG", "SET", "maxmemory", "1");
        try {
            assertThat(ask(Kind.CHILDREN, "")).isEqualTo(answered("[]"));
        } finally {
            redis.call("CONFIG", "SET", "maxmemory", "0");
        }
    }
}
