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

/// Answers the questions that others put to this process, one at a time, on a thread and a
/// connection of its own: a slow or failing answer harms nothing but the questions behind it.
///
/// The thread is a platform one, so that it answers also when no virtual thread gets to run.
public final class Answering implements Service {
    private static final Duration WAIT = Duration.ofSeconds(30);

    /// After a refusal, which a new try will meet too.
    private static final Duration REFUSED_PAUSE = Duration.ofSeconds(30);

    private final Questions questions;
    private final Answers answers;
    private final Listener listener;
    private final Outage outage;
    private final Backoff backoff = new Backoff();
    private final Loop loop;
    private boolean isRefused;

    public Answering(Questions questions, Answers answers, Listener listener, Outage outage) {
        this.questions = questions;
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
        Reply reply = reply(question);
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

    @Override
    public void stop(Duration patience) {
        loop.stop(patience);
    }
}
