package dev.mawashi.answer;

import dev.mawashi.event.Event;
import dev.mawashi.event.Listener;
import dev.mawashi.event.Outage;
import dev.mawashi.fleet.Question;
import dev.mawashi.fleet.Questions;
import dev.mawashi.fleet.Reply;
import dev.mawashi.lifecycle.Backoff;
import dev.mawashi.lifecycle.Loop;
import dev.mawashi.lifecycle.Service;
import dev.mawashi.redis.RedisFailure;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Answers the questions that others put to this process, one at a time, on a thread and a
/// connection of its own: a slow or failing answer harms nothing but the questions behind it. Only
/// a heap, which may take minutes, is written on another thread, one heap at a time.
///
/// The threads are platform ones, so that they answer also when no virtual thread gets to run.
public final class Answering implements Service {
    private static final Duration WAIT = Duration.ofSeconds(30);

    /// After a refusal, which a new try will meet too.
    private static final Duration REFUSED_PAUSE = Duration.ofSeconds(30);

    private final Supplier<Questions> connected;
    private final Questions questions;
    private final Answers answers;
    private final Listener listener;
    private final Outage outage;
    private final Backoff backoff = new Backoff();
    private final Loop loop;
    private boolean isRefused;

    /// The last one that wrote a heap.
    private volatile @Nullable Thread heap;

    /// @param connected makes questions to this process, each with a connection of its own
    public Answering(
            Supplier<Questions> connected, Answers answers, Listener listener, Outage outage) {
        this.connected = connected;
        questions = connected.get();
        this.answers = answers;
        this.listener = listener;
        this.outage = outage;
        loop =
                Loop.platform("answer", this::step)
                        .wakingSteps(questions::retire)
                        .farewell(questions::close);
    }

    @Override
    public void start() {
        loop.start();
    }

    private Duration step() {
        try {
            questions.await(WAIT).ifPresent(this::answer);
            isRefused = false;
            backoff.reset();
            return Duration.ZERO;
        } catch (RedisFailure failure) {
            return failed(failure);
        }
    }

    private Duration failed(RedisFailure failure) {
        if (loop.isStopping()) {
            return Duration.ZERO;
        }
        if (failure.kind() == RedisFailure.Kind.REFUSED) {
            if (!isRefused) {
                listener.on(new Event.QuestionsRefused(questions.key(), failure.reason()));
            }
            isRefused = true;
            return REFUSED_PAUSE;
        }
        outage.down(failure.reason());
        backoff.pause();
        return Duration.ZERO;
    }

    private void answer(Question question) {
        if (question.kind() == Question.Kind.HEAP) {
            answerAside(question);
        } else {
            send(questions, question, reply(question));
        }
    }

    private void answerAside(Question question) {
        Thread before = heap;
        if (before != null && before.isAlive()) {
            String reason = "it writes a heap at the moment: ask again once that is done";
            send(questions, question, new Reply.Declined(reason));
            return;
        }
        heap = Thread.ofPlatform().daemon().name("mawashi-heap-1").start(() -> writeHeap(question));
    }

    private void writeHeap(Question question) {
        Reply reply = reply(question);
        // Connected by now only: nobody would keep an idle connection alive meanwhile.
        try (Questions own = connected.get()) {
            send(own, question, reply);
        } catch (RedisFailure failure) {
            outage.down(failure.reason()); // The log names the file.
        }
    }

    private static void send(Questions questions, Question question, Reply reply) {
        try {
            questions.answer(question, reply);
        } catch (RedisFailure failure) {
            if (failure.kind() != RedisFailure.Kind.REFUSED) {
                throw failure;
            }
            // Somebody has put something else under the answer's key; the next one has its own.
        }
    }

    private Reply reply(Question question) {
        try {
            return new Reply.Answered(text(question));
        } catch (Answers.Unanswerable reason) {
            return new Reply.Declined(String.valueOf(reason.getMessage()));
        } catch (RuntimeException | Error defect) {
            // Also an `Error`: that there is no memory or stack for an answer ends no server.
            listener.on(new Event.Defect("answer", defect));
            return new Reply.Declined("it cannot answer: " + defect);
        }
    }

    private String text(Question question) {
        return switch (question.kind()) {
            case null -> throw new Answers.Unanswerable("this version does not know the question");
            case JVM -> answers.jvm();
            case THREADS -> answers.threads();
            case STACK -> answers.stack(question.about());
            case STACKS -> answers.stacks(question.about());
            case CHILDREN -> answers.children();
            case HEAP -> answers.heap(question.about());
            case RESTART -> answers.restart();
            case RELOAD -> answers.reload();
            case GENERATIONS -> answers.generations();
        };
    }

    /// A heap that is not whole when patience is over has `part` in its name.
    @Override
    public void stop(Duration patience) {
        long end = System.nanoTime() + patience.toNanos();
        loop.stop(patience);
        Thread writing = heap;
        try {
            if (writing != null) {
                writing.join(Duration.ofNanos(Math.max(0, end - System.nanoTime())));
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
