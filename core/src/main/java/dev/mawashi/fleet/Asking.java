package dev.mawashi.fleet;

import static dev.mawashi.redis.RedisConnection.ascii;

import dev.mawashi.fleet.Reply.Unanswered;
import dev.mawashi.redis.RedisCalls;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.redis.Script;
import dev.mawashi.wire.Keys;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/// Asks processes of the fleet through Redis: `Questions` is their side of it. One thread's.
///
/// Whoever asks waits in a blocking pop on the answers' own keys. A question that nobody waits for
/// any more is taken back; an answer that comes too late expires. Nothing of this touches jobs.
public final class Asking implements AutoCloseable {
    /// Questions that may wait for one process.
    public static final int WAITING_MAX = 20;

    /// Processes that are asked at once.
    public static final int TOGETHER_MAX = 100;

    private static final String QUESTION_SECONDS = "60";
    private static final int ID_BYTES = 8;
    private static final Script ASK = Script.beside(Asking.class, "ask.lua");

    private final RedisConnection connection;
    private final SecureRandom random = new SecureRandom();

    public Asking(RedisConnection connection) {
        this.connection = connection;
    }

    /// Asks one process and waits for its answer.
    ///
    /// @param about "" where the kind needs no more
    /// @param patience longest wait for the answer
    /// @throws RedisFailure when Redis cannot be reached, or refuses
    public Reply ask(String identity, Question.Kind kind, String about, Duration patience) {
        if (!Question.canBeAbout(about)) {
            return new Reply.Declined("nothing is called " + about);
        }
        return Objects.requireNonNull(ask(List.of(identity), kind, about, patience).get(identity));
    }

    /// Asks several processes at once and waits until all have answered or the time is up.
    ///
    /// @param identities at most `TOGETHER_MAX`
    /// @param about see `canBeAbout`; "" where the kind needs no more
    /// @param patience longest wait for all answers together
    /// @return a reply for each, in their order
    /// @throws RedisFailure when Redis cannot be reached, or refuses
    public Map<String, Reply> askAll(
            List<String> identities, Question.Kind kind, String about, Duration patience) {
        if (identities.size() > TOGETHER_MAX) {
            throw new IllegalArgumentException(
                    identities.size() + " processes at once, at most " + TOGETHER_MAX);
        }
        return ask(identities, kind, about, patience);
    }

    /// Whether a question can have this subject: at most 100 printable characters of ASCII, no
    /// spaces.
    public static boolean canBeAbout(String about) {
        return Question.canBeAbout(about);
    }

    private Map<String, Reply> ask(
            List<String> identities, Question.Kind kind, String about, Duration patience) {
        Map<String, Reply> replies = new LinkedHashMap<>();
        Map<String, Asked> waiting = new HashMap<>();
        List<Asked> questions = new ArrayList<>();
        for (String identity : identities) {
            replies.put(identity, Unanswered.LATE);
            Asked one = new Asked(identity, new Question(newId(), kind, about));
            questions.add(one);
            queue(one);
        }
        List<?> words = questions.isEmpty() ? List.of() : RedisCalls.flush(connection);
        for (int i = 0; i < questions.size(); i++) {
            Asked one = questions.get(i);
            String word = new String((byte[]) words.get(i), StandardCharsets.US_ASCII);
            if (word.equals("asked")) {
                waiting.put(Keys.answer(one.question().id()), one);
            } else {
                replies.put(one.identity(), Unanswered.valueOf(word.toUpperCase(Locale.ROOT)));
            }
        }
        collect(waiting, replies, patience);
        takeBack(waiting);
        return replies;
    }

    /// A question, and whom it was put to.
    private record Asked(String identity, Question question) {}

    private String newId() {
        byte[] id = new byte[ID_BYTES];
        random.nextBytes(id);
        return HexFormat.of().formatHex(id);
    }

    private void queue(Asked one) {
        connection.queueEval(
                ASK,
                List.of(
                        Keys.bytes(Keys.process(one.identity())),
                        Keys.bytes(Keys.questions(one.identity()))),
                List.of(
                        Keys.bytes(one.question().text()),
                        ascii(Keys.OWN_RECORD),
                        ascii(Integer.toString(WAITING_MAX)),
                        ascii(QUESTION_SECONDS)));
    }

    private void collect(
            Map<String, Asked> waiting, Map<String, Reply> replies, Duration patience) {
        long end = System.nanoTime() + patience.toNanos();
        Duration left = patience;
        while (!waiting.isEmpty() && left.isPositive()) {
            Object reply = connection.callBlocking(left, pop(waiting, left));
            if (reply instanceof List<?> pair && pair.size() == 2) {
                String key = new String((byte[]) pair.get(0), StandardCharsets.UTF_8);
                Asked answered = Objects.requireNonNull(waiting.remove(key));
                replies.put(answered.identity(), reply((byte[]) pair.get(1)));
            }
            left = Duration.ofNanos(end - System.nanoTime());
        }
    }

    private static byte[][] pop(Map<String, Asked> waiting, Duration left) {
        List<byte[]> words = new ArrayList<>();
        words.add(ascii("BLPOP"));
        waiting.keySet().forEach(key -> words.add(Keys.bytes(key)));
        // Redis takes 0 for no limit.
        double seconds = Math.max(1, left.toMillis()) / 1_000.0;
        words.add(ascii(String.format(Locale.ROOT, "%.3f", seconds)));
        return words.toArray(byte[][]::new);
    }

    private static Reply reply(byte[] answer) {
        String text = new String(answer, StandardCharsets.UTF_8);
        if (text.isEmpty()) {
            return new Reply.Declined("its answer is none");
        }
        return switch (text.charAt(0)) {
            case Questions.GIVEN -> new Reply.Answered(text.substring(1));
            case Questions.DECLINED -> new Reply.Declined(text.substring(1));
            default -> new Reply.Declined("its answer is none");
        };
    }

    /// One that the process has taken by now is not there any more.
    private void takeBack(Map<String, Asked> unanswered) {
        for (Asked one : unanswered.values()) {
            RedisCalls.queue(
                    connection, "LREM", Keys.questions(one.identity()), "1", one.question().text());
        }
        if (!unanswered.isEmpty()) {
            RedisCalls.flush(connection);
        }
    }

    @Override
    public void close() {
        connection.close();
    }
}
