package dev.mawashi.fleet;

import static dev.mawashi.redis.RedisConnection.ascii;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.redis.Script;
import dev.mawashi.wire.Keys;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// The questions that others put to this process through Redis, and its answers. One thread's, but
/// for `retire`.
///
/// It waits in a blocking pop: nothing is polled, and an idle process costs Redis two commands a
/// minute. A question that Redis hands to a connection which has just died is lost; whoever asked
/// hears that there was no answer, and may ask again.
public final class Questions implements AutoCloseable {
    /// An answer may have so many bytes; a text is cut to that.
    public static final int ANSWER_BYTES_MAX = 512 << 10;

    /// How long an answer is kept for whoever asked.
    static final String ANSWER_SECONDS = "60";

    /// What an answer begins with, before its text.
    static final char GIVEN = '+';

    static final char DECLINED = '-';

    private static final Script ANSWER = Script.beside(Questions.class, "answer.lua");

    private final RedisConnection connection;
    private final String key;

    /// @param identity of this process
    public Questions(RedisConnection connection, String identity) {
        this.connection = connection;
        key = Keys.questions(identity);
    }

    /// The key in Redis.
    public String key() {
        return key;
    }

    /// Takes the next question; waits for one.
    ///
    /// @return empty when none came, or what came is none
    /// @throws RedisFailure when Redis cannot be reached, or refuses
    public Optional<Question> await(Duration wait) {
        Object reply =
                connection.callBlocking(
                        wait,
                        ascii("BLPOP"),
                        Keys.bytes(key),
                        ascii(Long.toString(wait.toSeconds())));
        return reply instanceof List<?> pair && pair.size() == 2
                ? Question.of((byte[]) pair.get(1))
                : Optional.empty();
    }

    /// Answers a question. An answer of more than `ANSWER_BYTES_MAX` bytes in UTF-8 is not given.
    public void answer(Question question, Reply reply) {
        byte[] bytes = bytes(reply);
        if (bytes.length > ANSWER_BYTES_MAX) {
            String reason = "its answer has " + bytes.length + " bytes, which is too many";
            bytes = bytes(new Reply.Declined(reason));
        }
        send(question, bytes);
    }

    private static byte[] bytes(Reply reply) {
        String text =
                reply instanceof Reply.Answered given
                        ? GIVEN + given.text()
                        : DECLINED + reply.problem();
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private void send(Question question, byte[] answer) {
        Object _ =
                connection.eval(
                        ANSWER,
                        List.of(Keys.bytes(Keys.answer(question.id()))),
                        List.of(answer, ascii(ANSWER_SECONDS)));
    }

    /// Ends a wait from another thread, and any that begins later.
    public void retire() {
        connection.retire();
    }

    @Override
    public void close() {
        connection.close();
    }
}
