package dev.mawashi.presence;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.broker.DeadLimits;
import dev.mawashi.broker.RedisBroker;
import dev.mawashi.dispatch.Capsule;
import dev.mawashi.dispatch.CapsuleRig;
import dev.mawashi.dispatch.CapsuleSettings;
import dev.mawashi.dispatch.GatedRunner;
import dev.mawashi.dispatch.Running;
import dev.mawashi.fetch.QueueOrder;
import dev.mawashi.fleet.CapsuleView;
import dev.mawashi.fleet.ProcessReader;
import dev.mawashi.fleet.ProcessRecord;
import dev.mawashi.fleet.ProcessTable;
import dev.mawashi.fleet.WorkEntry;
import dev.mawashi.fleet.WorkView;
import dev.mawashi.redis.RedisServerForTests;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import org.junit.jupiter.api.Test;

/// The record that a process writes of itself is read whole, each field.
class RecordReadIT {
    private static final Instant NOW = Instant.ofEpochSecond(1_795_225_700L, 123_456_789L);
    private static final Instant STARTED = NOW.minusSeconds(90);
    private static final Instant LATER = NOW.plusMillis(2_500);
    private static final String TROUBLE = "no \"child\" process: caf\u00e9\n";

    @Test
    void eachFieldIsReadAsItWasWritten() {
        GatedRunner runner = new GatedRunner();
        SequencedMap<String, Integer> queues = new LinkedHashMap<>();
        queues.put("high", 2);
        queues.put("low \"1\"", 1);
        CapsuleSettings settings = new CapsuleSettings("mails", 3, new QueueOrder(queues));
        try (RedisServerForTests server = new RedisServerForTests();
                CapsuleRig rig =
                        new CapsuleRig(
                                new RedisBroker(server.address(), DeadLimits.DEFAULT),
                                runner,
                                settings);
                ProcessTable table = new ProcessTable(server.connect());
                ProcessReader reader = new ProcessReader(server.connect())) {
            rig.start();
            rig.push("high", "{\"class\":\"Report\",\"jid\":\"j1\",\"args\":[\"\u00e9\",7]}");
            runner.awaitRunning(1);
            Running running = rig.capsule().running().getFirst();
            ProcessName name = new ProcessName("box", 42, "abcdefabcdef", "shop", "7.3.9");
            List<Capsule> capsules = List.of(rig.capsule());
            Census census =
                    new Census(
                            name,
                            List.of("eu", "mawashi"),
                            capsules,
                            STARTED,
                            () -> TROUBLE,
                            new OwnReading(capsules, List::of));

            table.beat(census.take(77, NOW));

            ProcessRecord process = reader.process(name.identity()).orElseThrow();
            assertIsSame(process);
            assertThat(reader.processes()).hasSize(1);
            assertIsSame(reader.work(name.identity()), running);
            runner.open();
        }
    }

    private static void assertIsSame(ProcessRecord process) {
        assertThat(process.identity()).isEqualTo("box:42:abcdefabcdef");
        assertThat(process.info().tag()).isEqualTo("shop");
        assertThat(process.info().version()).isEqualTo("7.3.9");
        assertThat(process.info().queues()).containsExactly("high", "low \"1\"");
        assertThat(process.info().labels()).containsExactly("mawashi", "eu");
        assertThat(process.info().isEmbedded()).isFalse();
        assertThat(process.sinceStart(LATER)).isEqualTo(Duration.ofMillis(92_500));
        assertThat(process.concurrency()).isEqualTo(3);
        assertThat(process.busy()).isOne();
        assertThat(process.isQuiet()).isFalse();
        assertThat(process.sinceBeat(LATER)).isEqualTo(Duration.ofMillis(2_500));
        assertThat(process.rssKib()).isPositive();
        assertThat(process.trouble()).isEqualTo(TROUBLE);
        assertThat(process.isMawashi()).isTrue();
        assertThat(process.own().capsules())
                .containsExactly(new CapsuleView("mails", "java", 3, 1));
        assertThat(process.own().children()).isZero();
        assertThat(process.own().cpu()).isPositive();
        assertThat(process.own().collecting()).isZero();
        assertThat(process.json(LATER))
                .matches(
                        """
                        \\{"identity":"box:42:abcdefabcdef","tag":"shop",\
                        "queues":\\["high","low \\\\"1\\\\""],"labels":\\["mawashi","eu"],\
                        "busy":1,"concurrency":3,"quiet":false,"rss_kib":[1-9]\\d*,\
                        "beat_age":2.500,"uptime":92.500,"version":"7.3.9",\
                        "trouble":"no \\\\"child\\\\" process: caf\u00e9\\\\n",\
                        "capsules":\\[\\{"name":"mails","runner":"java","slots":3,"busy":1}],\
                        "children":0,"cpu":\\d+\\.\\d{3},"gc":0.000,"alarms":\\[]}\
                        """);
    }

    private static void assertIsSame(List<WorkView> all, Running running) {
        assertThat(all).hasSize(1);
        WorkView work = all.getFirst();
        assertThat(work.identity()).isEqualTo("box:42:abcdefabcdef");
        assertThat(work.entry().slot()).isEqualTo(running.slot());
        assertThat(work.entry().queue()).isEqualTo("high");
        assertThat(work.job().jid()).isEqualTo("j1");
        assertThat(work.job().jobClass()).isEqualTo("Report");
        assertThat(work.job().args()).isEqualTo("[\"\u00e9\",7]");
        assertThat(work.entry().since()).isPresent();
        assertThat(work.entry().place())
                .isEqualTo(new WorkEntry.Place("java", running.thread(), 0));
    }
}
