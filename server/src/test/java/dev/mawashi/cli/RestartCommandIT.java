package dev.mawashi.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.answer.Answering;
import dev.mawashi.answer.Answers;
import dev.mawashi.event.Outage;
import dev.mawashi.fleet.Questions;
import dev.mawashi.fleet.RestartView;
import dev.mawashi.redis.RedisAddress;
import dev.mawashi.redis.RedisConnection;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// `mawashi restart`, of one process and of all, as it is called, on a real Redis through which a
/// process of this test answers, whose restarts fail.
final class RestartCommandIT {
    @RegisterExtension static final CommandRig RIG = new CommandRig();

    private static final Duration LONG = Duration.ofSeconds(20);
    private static final String OURS = "web-1:1:aa";
    private static final String THEIRS = "web-2:2:bb";

    private final RedisConnection redis = RIG.redis();
    private final StringWriter out = RIG.out();
    private final StringWriter err = RIG.err();
    private Runnable onRestart = () -> {};
    private final Answering answering =
            new Answering(
                    () ->
                            new Questions(
                                    new RedisConnection(
                                            RedisAddress.parse(RIG.url()), "answer", LONG),
                                    OURS),
                    new Failing(),
                    _ -> {},
                    new Outage(_ -> {}, System::nanoTime));

    private final class Failing implements Answers {
        private int looks;

        @Override
        public String restart() {
            onRestart.run();
            return view(RestartView.State.BOOTING, "");
        }

        @Override
        public String reload() {
            throw new Unanswerable("not here");
        }

        @Override
        public String generations() {
            return looks++ == 0
                    ? view(RestartView.State.BOOTING, "")
                    : view(RestartView.State.FAILED, "cannot load it:\n    at jobs.rb:1");
        }

        private String view(RestartView.State state, String reason) {
            return new RestartView(
                            state,
                            1,
                            reason,
                            Duration.ofSeconds(9),
                            List.of(new RestartView.Generation(1, 2, 3, Optional.empty())))
                    .json();
        }

        @Override
        public String jvm() {
            throw new Unanswerable("not here");
        }

        @Override
        public String threads() {
            throw new Unanswerable("not here");
        }

        @Override
        public String stack(String slot) {
            throw new Unanswerable("not here");
        }

        @Override
        public String stacks(String jobClass) {
            throw new Unanswerable("not here");
        }

        @Override
        public String children() {
            throw new Unanswerable("not here");
        }

        @Override
        public String heap(String pid) {
            throw new Unanswerable("not here");
        }
    }

    @AfterEach
    void stop() {
        answering.stop(LONG);
    }

    private int run(String... arguments) {
        return RIG.run(arguments);
    }

    private void processes() {
        redis.call("SADD", "processes", OURS, THEIRS);
        redis.call("HSET", THEIRS, "info", "{}");
        redis.call("HSET", OURS, "info", "{}", "mawashi", "{}");
    }

    @Test
    void aRestartThatFailsShowsItsReasonAndIsRecorded() {
        processes();
        answering.start();

        assertThat(run("restart", OURS)).isEqualTo(Main.FAILED);

        assertThat(out.toString()).contains(OURS + ": generation 2 boots");
        assertThat(err.toString())
                .contains("    at jobs.rb:1")
                .contains("generation 2 failed, generation 1 goes on: cannot load it:");
        assertThat(run("audit")).isZero();
        assertThat(out.toString()).contains("restart", OURS);
        assertThat(run("restart")).isEqualTo(Main.WRONG_USE);
        assertThat(err.toString()).contains("which of 2 processes?", OURS, THEIRS);
        assertThat(run("restart", THEIRS)).isEqualTo(Main.FAILED);
        assertThat(err.toString()).contains("it takes no questions");
    }

    @Test
    void aProcessThatDoesNotAnswerMayStillRestart() {
        processes();

        assertThat(run("restart", OURS)).isEqualTo(Main.FAILED);

        assertThat(err.toString())
                .contains(OURS + " was asked to restart and may still do so")
                .doesNotContain("not restarted");
        assertThat(redis.call("LLEN", "mw:audit")).isEqualTo(1L);
    }

    @Test
    void aRollStopsAtTheFirstThatFails() {
        processes();
        redis.call("SADD", "processes", "web-0:1:aa", "web-3:1:aa");
        redis.call("HSET", "web-0:1:aa", "info", "{}", "quiet", "true", "mawashi", "{}");
        redis.call("HSET", "web-3:1:aa", "info", "{}", "mawashi", "{}");
        answering.start();

        assertThat(run("restart", "--all")).isEqualTo(Main.FAILED);

        assertThat(out.toString())
                .isEqualTo(
                        """
                        web-0:1:aa: left out, it is quiet and runs no new jobs
                        web-2:2:bb: left out, it is a process of Sidekiq's, or of an older Mawashi
                        web-1:1:aa: a restart is under way, and ends first
                        web-1:1:aa: generation 2 boots
                        """);
        assertThat(err.toString())
                .isEqualTo(
                        """
                            at jobs.rb:1
                        mawashi: stopped at web-1:1:aa: generation 2 failed, generation 1 goes on:\
                         cannot load it:; restarted: none; not restarted: web-1:1:aa, web-3:1:aa
                        """);
        assertThat(redis.call("EXISTS", "mw:rolling")).isEqualTo(0L);
        assertThat(redis.call("LLEN", "mw:audit")).isEqualTo(1L);
    }

    @Test
    void aRollWhoseTurnAnotherHasTakenStops() {
        processes();
        String theirs = "{\"id\":\"1\",\"by\":\"bob@ci\",\"since\":\"2026-11-26T14:00:00Z\"}";
        onRestart = () -> redis.call("SET", "mw:rolling", theirs);
        answering.start();

        assertThat(run("restart", "--all")).isEqualTo(Main.FAILED);

        assertThat(err.toString())
                .startsWith(
                        "mawashi: stopped at web-1:1:aa: bob@ci began to restart all processes at"
                                + " 2026-11-26T14:00:00Z: wait for the end (")
                .endsWith("; restarted: none; not restarted: web-1:1:aa\n")
                .hasLineCount(1);
        assertThat(redis.call("GET", "mw:rolling")).isEqualTo(theirs.getBytes(UTF_8));
    }

    @Test
    void aRollThatCannotBeginChangesNothing() {
        assertThat(run("restart", "--all")).isEqualTo(Main.FAILED);
        assertThat(err.toString()).contains("there is no process to restart").hasLineCount(1);
        processes();
        answering.start();

        assertThat(run("restart", "--all", OURS)).isEqualTo(Main.WRONG_USE);
        assertThat(err.toString()).contains("leave out the identity, or --all").hasLineCount(1);
        assertThat(run("restart", "--all", "--no-wait")).isEqualTo(Main.WRONG_USE);
        assertThat(err.toString()).contains("leave out --no-wait").hasLineCount(1);
        assertThat(redis.call("EXISTS", "mw:rolling")).isEqualTo(0L);
        redis.call("SET", "mw:rolling", "\u001b[2J");
        assertThat(run("restart", "--all")).isEqualTo(Main.FAILED);
        assertThat(err.toString())
                .contains("? began to restart all processes at ?", "key mw:rolling")
                .hasLineCount(1);
        redis.call("DEL", "mw:rolling");
        redis.call("RPUSH", "mw:rolling", "1");
        assertThat(run("restart", "--all")).isEqualTo(Main.FAILED);
        assertThat(err.toString()).contains("the key mw:rolling is no string").hasLineCount(1);
        assertThat(redis.call("EXISTS", "mw:audit")).isEqualTo(0L);
    }
}
