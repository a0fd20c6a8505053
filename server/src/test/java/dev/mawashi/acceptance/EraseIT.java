package dev.mawashi.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.Eventually;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `mawashi erase` beside real servers and jobs of the real gem, and when it is killed.
final class EraseIT {
    private static final String TEXT = "anna-gate";

    @TempDir private Path folder;

    private Workplace place;

    @BeforeEach
    void open() {
        place = new Workplace(folder);
    }

    @AfterEach
    void close() {
        place.close();
    }

    private Child erase(String... more) {
        List<String> words = new ArrayList<>(List.of("erase", "--text", TEXT, "--yes"));
        words.addAll(List.of(more));
        return place.mawashi(Workplace.NO_GEMS, words.toArray(String[]::new));
    }

    private List<byte[]> inFlight() {
        List<byte[]> jobs = new ArrayList<>();
        for (byte[] key : place.strings("KEYS", "mw:{queue:*}:inflight:*")) {
            jobs.addAll(place.strings("HVALS", Workplace.text(key)));
        }
        return jobs;
    }

    @Test
    void whatRunsGoesOnAndEndsOnlyIfAsked() {
        Child server = place.runOnMri(Workplace.NO_GEMS, "-c", "2");
        place.pushJobs(1, "hers", "GateJob", "[\"" + TEXT + "\"]");
        place.await("it runs", () -> place.ledger().count("start", "GateJob") == 1);
        Child first = erase();
        assertThat(first.awaitExit()).as(first::log).isEqualTo(1);
        assertThat(first.log()).contains("1 jobs run and are left", "hers0 GateJob");
        assertThat(inFlight()).hasSize(1);
        Child second = erase("--running");
        assertThat(second.awaitExit()).as(second::log).isZero();
        assertThat(inFlight()).isEmpty();
        place.pushJobs(5, "after", "PlainJob", "[]");
        place.await("others run", () -> place.ledger().count("end", "PlainJob") == 5);
        assertThat(place.ledger().count("end", "GateJob")).isZero();
        server.signal("TERM");
        assertThat(server.awaitExit()).as(server::log).isZero();
        assertThat(place.strings("KEYS", "retry")).isEmpty();
        assertThat(place.strings("KEYS", "dead")).isEmpty();
    }

    /// Long: it calls the command until a lease has lapsed.
    @Tag("long")
    @Test
    void whatAKilledServerHadInHandGoesOnceItsLeaseHasLapsed() {
        Child server = place.runOnMri(Workplace.NO_GEMS, "-c", "1");
        place.pushJobs(1, "hers", "GateJob", "[\"" + TEXT + "\"]");
        place.pushJobs(1, "others", "GateJob", "[\"bob\"]");
        place.await("it runs", () -> place.ledger().count("start", "GateJob") == 1);
        server.kill();
        Eventually.until("all of hers is gone", Child.LIMIT, () -> erase().awaitExit() == 0);
        assertThat(inFlight()).isEmpty();
        assertThat(place.queued()).containsExactly("others0");
    }

    /// The client of the real gem, with text beyond ASCII.
    @Test
    void jobsOfTheGemGo() {
        String push =
                "Redis.sadd_returns_boolean = false if defined?(Redis); "
                        + "Sidekiq::Client.push('class' => 'Mail', 'args' => [{'to' => ARGV[0]}]); "
                        + "Sidekiq::Client.push('class' => 'Mail', 'args' => ['bob'], 'at' => 9e9); "
                        + "Sidekiq::Client.push('class' => 'Mail', 'args' => [ARGV[0]], 'at' => 9e9)";
        List<String> _ = place.ruby("push", "-rsidekiq", "-e", push, "Jürgen Groß");
        Child erase = place.mawashi(Workplace.NO_GEMS, "erase", "--text", "Jürgen Groß", "--yes");
        assertThat(erase.awaitExit()).as(erase::log).isZero();
        assertThat(erase.log()).contains("erased 2 jobs and records", "schedule 1");
        assertThat(place.queued()).isEmpty();
        assertThat(place.strings("ZRANGE", "schedule", "0", "-1"))
                .singleElement()
                .satisfies(job -> assertThat(Workplace.text(job)).contains("bob"));
    }

    @Test
    void killedHalfWayItGoesOnWhenCalledAgain() {
        int many = 20_000;
        List<byte[]> jobs = new ArrayList<>();
        for (int i = 0; i < many; i++) {
            String text = i % 2 == 0 ? TEXT : "bob";
            jobs.add(
                    ("{\"class\":\"Mail\",\"jid\":\"" + i + "\",\"args\":[\"" + text + "\"]}")
                            .getBytes(UTF_8));
        }
        place.push("default", jobs);
        Child erase = erase();
        place.await("it has begun", () -> place.number("LLEN", "queue:default") < many);
        erase.kill();
        assertThat(place.number("LLEN", "queue:default")).isGreaterThanOrEqualTo(many / 2);
        Child again = erase();
        assertThat(again.awaitExit()).as(again::log).isZero();
        assertThat(place.number("LLEN", "queue:default")).isEqualTo(many / 2);
        assertThat(place.strings("LRANGE", "queue:default", "0", "-1"))
                .allMatch(job -> Workplace.text(job).contains("bob"));
    }
}
