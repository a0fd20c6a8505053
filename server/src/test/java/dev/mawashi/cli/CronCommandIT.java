package dev.mawashi.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.Eventually;
import dev.mawashi.broker.CronTable;
import dev.mawashi.cron.CronFile;
import dev.mawashi.cron.CronFiring;
import dev.mawashi.cron.CronSchedule;
import dev.mawashi.cron.Missed;
import dev.mawashi.event.Outage;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.wire.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

final class CronCommandIT {
    @RegisterExtension static final CommandRig RIG = new CommandRig();

    /// As a server does that starts and stops again.
    private static void serve() {
        CronSchedule yearly =
                new CronSchedule(
                        "yearly",
                        "0 0 1 1 *",
                        "Europe/Berlin",
                        "Billing::Close",
                        "low",
                        "[42]",
                        true,
                        Missed.ONE,
                        "closes the year",
                        "{}");
        CronFiring firing =
                new CronFiring(
                        new CronTable(
                                new RedisConnection(RIG.address(), "cron", Duration.ofSeconds(5))),
                        new CronFile(List.of(yearly)),
                        new Random(),
                        _ -> {},
                        new Outage(_ -> {}, System::nanoTime));
        firing.start();
        Eventually.until(
                "it is there", () -> RIG.redis().call("HGET", "mw:cron", "yearly") != null);
        firing.stop(Duration.ofSeconds(10));
    }

    @Test
    void listsAndShowsSchedulesOfServers() {
        assertThat(RIG.run("cron")).isEqualTo(Main.DONE);
        assertThat(RIG.err().toString()).startsWith("no schedules: no server runs that has a cron");
        serve();

        assertThat(RIG.run("cron")).isEqualTo(Main.DONE);
        assertThat(RIG.out().toString())
                .containsPattern(
                        "yearly +0 0 1 1 \\* +Europe/Berlin +Billing::Close +low +\\d+-12-31T23:00:00Z");
        assertThat(RIG.run("cron", "show", "yearly")).isEqualTo(Main.DONE);
        assertThat(RIG.out().toString().lines().filter(line -> line.startsWith("next")))
                .hasSize(10);
        assertThat(RIG.run("cron", "show", "yearli")).isEqualTo(Main.FAILED);
        assertThat(RIG.err().toString())
                .isEqualTo("mawashi: no server has a schedule yearli, did you mean yearly?\n");
        assertThat(RIG.run("cron", "--json")).isEqualTo(Main.DONE);
        assertThat(RIG.out().toString())
                .startsWith(
                        "{\"name\":\"yearly\",\"cron\":\"0 0 1 1 *\",\"zone\":\"Europe/Berlin\",\"class\":\"Billing::Close\",\"queue\":\"low\",\"active_job\":true,\"missed\":\"one\",\"description\":\"closes"
                                + " the year\",\"gem\":null,\"paused\":false,\"next\":[\"");
    }

    @Test
    void runsPausesAndResumes() {
        serve();

        assertThat(RIG.run("cron", "pause", "yearly")).isEqualTo(Main.DONE);
        assertThat(RIG.out().toString()).isEqualTo("yearly is paused\n");
        assertThat(RIG.run("cron", "pause", "yearly", "--json")).isEqualTo(Main.DONE);
        assertThat(RIG.out().toString()).contains("\"act\":\"pause\",\"changed\":false");
        assertThat(RIG.run("cron", "run", "yearly")).isEqualTo(Main.DONE);
        String jid = RIG.out().toString().strip();
        JsonObject job =
                JsonObject.of(
                        (byte[])
                                Objects.requireNonNull(
                                        RIG.redis().call("LINDEX", "queue:low", "0")));
        assertThat(job.text("jid")).isEqualTo(jid).hasSize(24);
        assertThat(job.text("wrapped")).isEqualTo("Billing::Close");
        assertThat(job.objects("args").getFirst().raw("arguments")).isEqualTo("[42]");
        assertThat(RIG.run("cron", "resume", "yearly")).isEqualTo(Main.DONE);
        assertThat(RIG.out().toString()).isEqualTo("yearly is resumed\n");

        assertThat(RIG.run("cron", "show", "yearly")).isEqualTo(Main.DONE);
        assertThat(RIG.out().toString()).contains("enqueued", jid);
        assertThat(RIG.run("audit")).isEqualTo(Main.DONE);
        assertThat(RIG.out().toString())
                .containsPattern("resume +schedule:yearly")
                .containsPattern("run +schedule:yearly .*" + jid)
                .contains("was so already");
    }

    @Test
    void aTypoAndAKeyOfAnotherTypeAreNamed() {
        assertThat(RIG.run("cron", "run", "none")).isEqualTo(Main.FAILED);
        assertThat(RIG.err().toString())
                .isEqualTo("mawashi: no server has a schedule none: mawashi cron lists them\n");
        RIG.redis().call("SET", "mw:cron:paused", "text");
        assertThat(RIG.run("cron")).isEqualTo(Main.FAILED);
        assertThat(RIG.err().toString()).contains("WRONGTYPE").hasLineCount(1);
    }
}
