package dev.mawashi.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A server that lives through payloads that no client should push, each between two good jobs.
final class PayloadRig {
    private final Workplace place;
    private final Child server;
    private int cases;

    /// @param folder an empty one
    PayloadRig(Path folder) {
        place = new Workplace(folder);
        server = place.run(Workplace.DEBIAN_GEMS, "-c", "5").awaitLog("working on");
    }

    Workplace place() {
        return place;
    }

    /// Comes before each test, whose jobs are to be alone in the sets.
    void emptySets() {
        place.number("DEL", "retry", "dead");
    }

    static String job(String jobClass, String args, String jid) {
        return "{\"class\":\"%s\",\"args\":%s,\"jid\":\"%s\"}".formatted(jobClass, args, jid);
    }

    /// A jid that no job had before.
    String newJid() {
        return "new" + cases;
    }

    void pushBetweenGoodJobs(byte[]... payloads) {
        String before = "good" + cases + "before";
        String after = "good" + cases + "after";
        cases++;
        List<byte[]> all = new ArrayList<>();
        all.add(job("PlainJob", "[]", before).getBytes(UTF_8));
        all.addAll(List.of(payloads));
        all.add(job("PlainJob", "[]", after).getBytes(UTF_8));
        place.push("default", all);
        place.await(
                "good jobs run",
                () -> place.ledger().byJid("end").keySet().containsAll(List.of(before, after)));
        assertThat(place.ledger().byJid("start").get(before)).isOne();
        assertThat(place.ledger().byJid("start").get(after)).isOne();
    }

    /// Pushes a payload that is to fail, and returns the bytes of its retry as Latin-1.
    String retried(byte[] payload) {
        pushBetweenGoodJobs(payload);
        place.await("it is in the retry set", () -> place.number("ZCARD", "retry") == 1);
        String retry = Workplace.text(place.strings("ZRANGE", "retry", "0", "-1").getFirst());
        String before = Workplace.text(payload).stripTrailing();
        assertThat(retry).startsWith(before.substring(0, before.length() - 1));
        assertThat(place.number("EXISTS", "dead")).isZero();
        return retry;
    }

    /// Ends the server, which is to have met nothing that it did not expect.
    void endWell() {
        server.signal("TERM");
        int code = server.awaitExit();
        String log = server.log();
        place.close();
        assertThat(code).as(log).isZero();
        assertThat(log).doesNotContain("defect", "\tat ");
    }
}
