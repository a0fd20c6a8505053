package dev.mawashi.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.answer.Answering;
import dev.mawashi.answer.Answers;
import dev.mawashi.answer.JvmFigures;
import dev.mawashi.event.Outage;
import dev.mawashi.fleet.Questions;
import dev.mawashi.fleet.RestartView;
import dev.mawashi.redis.RedisAddress;
import dev.mawashi.redis.RedisConnection;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// `mawashi processes show` and `threads`, and `mawashi busy stack`, as they are called, on a real
/// Redis through which a process of this test answers.
final class AskCommandsIT {
    @RegisterExtension static final CommandRig RIG = new CommandRig();

    private static final Duration LONG = Duration.ofSeconds(20);
    private static final String OURS = "web-1:1:aa";
    private static final String THEIRS = "web-2:2:bb";
    private static final String STACK =
            """
            {"slot":"1z","jid":"j1","class":"Report","queue":"low","run_ms":61000,"runner":"mri",\
            "pid":4711,"thread":null,"ruby":["app.rb:3:in 'sleep'","app.rb:2:in '\\u001b[2J'"],\
            "java":[]}\
            """;

    private final RedisConnection redis = RIG.redis();
    private final StringWriter out = RIG.out();
    private final StringWriter err = RIG.err();
    private final Answering answering =
            new Answering(
                    () ->
                            new Questions(
                                    new RedisConnection(
                                            RedisAddress.parse(RIG.url()), "answer", LONG),
                                    OURS),
                    new Scripted(),
                    _ -> {},
                    new Outage(_ -> {}, System::nanoTime));

    private static final class Scripted implements Answers {
        private final JvmFigures figures = new JvmFigures();
        private int looks;

        @Override
        public String jvm() {
            return figures.take().json();
        }

        @Override
        public String threads() {
            return "main:\n    app.rb:2\u001b[2J\n";
        }

        @Override
        public String stacks(String jobClass) {
            return "[]";
        }

        @Override
        public String stack(String slot) {
            if (slot.equals("1z")) {
                return STACK;
            }
            throw new Unanswerable("no job runs in slot " + slot);
        }

        @Override
        public String children() {
            return """
            [{"pid":4711,"generation":2,"capsule":"default","runner":"mri","state":"busy","busy":1,\
            "slots":5,"memory_kib":20480,"started_at":"2026-11-21T20:48:21Z"}]\
            """;
        }

        @Override
        public String heap(String pid) {
            if (pid.isEmpty()) {
                return "{\"file\":\"/tmp/jvm-1.hprof\",\"bytes\":2097152}";
            }
            throw new Unanswerable(pid + " is no child of the runner mri");
        }

        @Override
        public String restart() {
            throw new Unanswerable("not here");
        }

        @Override
        public String reload() {
            throw new Unanswerable("not here");
        }

        @Override
        public String generations() {
            return new RestartView(RestartView.State.NONE, 1, "", LONG, List.of()).json();
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
        String info = "{\"tag\":\"shop\",\"queues\":[\"low\"],\"started_at\":1.5}";
        redis.call("HSET", THEIRS, "info", info, "busy", "1", "beat", "2.5");
        redis.call("HSET", OURS, "info", info, "busy", "1", "concurrency", "5", "beat", "2.5");
        redis.call(
                "HSET",
                OURS,
                "mawashi",
                "{\"capsules\":[{\"name\":\"default\",\"runner\":\"mri\",\"slots\":5,\"busy\":1}],"
                        + "\"children\":1,\"cpu_ms\":1500,\"gc_ms\":20,"
                        + "\"alarms\":[{\"name\":\"gc_busy\",\"text\":\"it collects\","
                        + "\"since\":\"2026-11-21T20:48:21Z\"}]}");
        redis.call("HSET", OURS + ":work", "1z", work("j1"), "20", work("j2"));
        redis.call("HSET", THEIRS + ":work", "t1", work("j3"));
    }

    private static String work(String jid) {
        return "{\"queue\":\"low\",\"payload\":\"{\\\"class\\\":\\\"Report\\\",\\\"jid\\\":\\\""
                + jid
                + "\\\",\\\"args\\\":[]}\",\"run_at\":1795225700,\"runner\":\"mri\",\"pid\":4711}";
    }

    @Test
    void allThatIsKnownOfAProcessIsShown() {
        processes();
        answering.start();

        assertThat(run("processes", "show", "web-1")).isEqualTo(Main.DONE);
        assertThat(out.toString())
                .contains(
                        "process          web-1:1:aa",
                        "alarm            gc_busy: it collects",
                        "capsule default  mri, 1 of 5",
                        "lease            none",
                        "CPU              1.5 s, without its children",
                        "code cache",
                        "child  capsule  runner  state  busy    memory  started",
                        "4711   default  mri     busy   1 of 5  20 MiB  ");
        assertThat(err.toString()).isEmpty();

        assertThat(run("processes", "show", OURS, "--json")).isEqualTo(Main.DONE);
        assertThat(out.toString())
                .hasLineCount(1)
                .startsWith("{\"process\":{\"identity\":\"web-1:1:aa\",")
                .contains(
                        "\"capsules\":[{\"name\":\"default\",\"runner\":\"mri\",\"slots\":5,\"busy\":1}],"
                                + "\"children\":1,\"cpu\":1.500,\"gc\":0.020,\"alarms\":[{\"name\":\"gc_busy\","
                                + "\"text\":\"it collects\",\"since\":\"2026-11-21T20:48:21Z\"}]},"
                                + "\"lease\":null,\"jvm\":{\"java\":",
                        "\"children\":[{\"pid\":4711,",
                        "\"generations\":{\"state\":\"")
                .endsWith("\"problem\":null}\n");
    }

    @Test
    void alarmsThatStandAreListedBelowTheProcesses() {
        processes();

        assertThat(run("processes")).isEqualTo(Main.DONE);
        assertThat(out.toString()).endsWith("web-1:1:aa: alarm gc_busy: it collects\n");
    }

    @Test
    void ofASidekiqsProcessWhatItsRecordSaysIsShownAndWhyThereIsNoMore() {
        processes();

        assertThat(run("processes", "show", "web-2")).isEqualTo(Main.DONE);
        assertThat(out.toString()).contains("process  web-2:2:bb").doesNotContain("heap", "lease");
        assertThat(err.toString())
                .isEqualTo(
                        "it takes no questions: it is a process of Sidekiq's, or of an older"
                                + " Mawashi\n");
        assertThat(run("processes", "show", "web-2", "--json")).isEqualTo(Main.DONE);
        assertThat(out.toString())
                .contains(
                        "\"lease\":null,\"jvm\":null,\"children\":null,"
                                + "\"generations\":null,\"problem\":\"it takes no");
        assertThat(run("processes", "show", "web")).isEqualTo(Main.FAILED);
        assertThat(run("processes", "show", "web-3")).isEqualTo(Main.FAILED);
        assertThat(run("processes", "show")).isEqualTo(Main.WRONG_USE);
    }

    @Test
    void aDumpOfItsThreadsIsPrintedAndDrivesNoTerminal() {
        processes();
        answering.start();

        assertThat(run("processes", "threads", "web-1")).isEqualTo(Main.DONE);
        assertThat(out.toString()).isEqualTo("main:\n    app.rb:2?[2J\n");
        assertThat(run("processes", "threads", "web-2")).isEqualTo(Main.FAILED);
        assertThat(err.toString()).contains("no answer: it takes no questions").hasLineCount(1);
    }

    @Test
    void aHeapIsWrittenWhereTheProcessIsAndRecorded() {
        processes();
        answering.start();

        assertThat(run("processes", "heap", "web-1")).isEqualTo(Main.WRONG_USE);
        assertThat(err.toString()).contains("with all secrets that it holds", "add --yes");
        assertThat(run("audit")).isZero();
        assertThat(out.toString()).doesNotContain("heap");
        assertThat(run("processes", "heap", "web-1", "--yes")).isEqualTo(Main.DONE);
        assertThat(out.toString())
                .isEqualTo(
                        """
                        /tmp/jvm-1.hprof, 2 MiB, on the machine of web-1:1:aa
                        It holds all that the process knew, secrets too: delete it after use.
                        """);
        assertThat(run("audit")).isZero();
        assertThat(out.toString()).contains("heap", OURS, "/tmp/jvm-1.hprof");
        assertThat(run("processes", "heap", "web-1", "--child", "7", "--yes"))
                .isEqualTo(Main.FAILED);
        assertThat(err.toString()).contains("no heap: 7 is no child of the runner mri");
        assertThat(run("processes", "heap", "web-2", "--yes")).isEqualTo(Main.FAILED);
        assertThat(err.toString()).contains("it takes no questions");
        assertThat(run("processes", "heap", "web-1", "--child", "x")).isEqualTo(Main.WRONG_USE);
        assertThat(run("processes", "heap")).isEqualTo(Main.WRONG_USE);
    }

    @Test
    void theStackOfARunningJobIsPrinted() {
        processes();
        answering.start();

        assertThat(run("busy", "stack", "j1")).isEqualTo(Main.DONE);
        assertThat(out.toString())
                .isEqualTo(
                        """
                        Report j1 of queue "low" has run for 1 min 1 s: mri, process 4711 of web-1:1:aa
                        It seems to wait for the end of its own sleep.
                        Ruby
                            app.rb:3:in 'sleep'
                            app.rb:2:in '?[2J'
                        """);
        assertThat(run("busy", "stack", "j1", "--json")).isEqualTo(Main.DONE);
        assertThat(out.toString()).startsWith("{\"slot\":\"1z\"").hasLineCount(1);
        assertThat(run("busy", "stack", "j2")).isEqualTo(Main.FAILED);
        assertThat(err.toString()).contains("no answer: no job runs in slot 20");
        assertThat(run("busy", "stack", "j3")).isEqualTo(Main.FAILED);
        assertThat(err.toString()).contains("it takes no questions");
        assertThat(run("busy", "stack", "none")).isEqualTo(Main.FAILED);
        assertThat(err.toString()).contains("no job none ran at the last beat").hasLineCount(1);
        assertThat(run("busy")).isEqualTo(Main.DONE);
        assertThat(out.toString()).contains("where", "mri child 4711");
    }
}
