package dev.mawashi.presence;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.broker.Lease;
import java.util.Collections;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ShownPayloadsTest {
    private static final String PADDING = "x".repeat(ShownPayloads.BYTES_MAX);

    private final ShownPayloads shown = new ShownPayloads();

    private static Lease lease(long token, String payload) {
        return new Lease("q", "me", token, payload.getBytes(UTF_8));
    }

    /// What is said of a large payload that begins so, but for its note.
    private String brief(String start) {
        String text = new String(shown.of(List.of(lease(1, start + PADDING))).getFirst(), UTF_8);
        return text.replaceFirst("[0-9]+ bytes, which are not shown", "note");
    }

    @Test
    void aLargeOneThatIsNoJobIsShownAsOneWithoutAName() {
        assertThat(brief("no job")).isEqualTo("{\"class\":\"\",\"args\":[\"note\"]}");
    }

    @Test
    void whatIsLongInALargeOneIsCutOrLeftOut() {
        String fields =
                "{\"class\":\"%s\",\"jid\":\"%s\",\"created_at\":[%s1],\"enqueued_at\":5,\"args\":[\""
                        .formatted("C".repeat(500), "j".repeat(500), " ".repeat(500));
        Lease large = lease(1, fields + PADDING + "\"]}");

        assertThat(new String(shown.of(List.of(large)).getFirst(), UTF_8))
                .startsWith(
                        "{\"class\":\"%s\",\"jid\":\"%s\",\"enqueued_at\":5,\"args\":[\""
                                .formatted("C".repeat(128), "j".repeat(128)));
    }

    @Test
    void aLargeOneIsReadOnceForAsLongAsItRuns() {
        List<Lease> running = List.of(lease(1, "a" + PADDING), lease(2, "b" + PADDING));
        List<byte[]> first = shown.of(running);

        List<byte[]> second = shown.of(running);
        assertThat(second.getFirst()).isSameAs(first.getFirst());
        assertThat(second.getLast()).isSameAs(first.getLast()).isNotSameAs(first.getFirst());

        assertThat(shown.of(running.subList(0, 1)).getFirst()).isSameAs(first.getFirst());
        assertThat(shown.of(running).getLast()).isNotSameAs(first.getLast());
    }

    @Test
    void allOfABeatShareItsBytesAndSmallOnesAreAlwaysShown() {
        String small = "{\"jid\":\"1\",\"args\":[\"%s\"]}".formatted("x".repeat(400));
        String medium = "{\"jid\":\"1\",\"args\":[\"%s\"]}".formatted("x".repeat(1_000));

        assertThat(shown.of(List.of(lease(1, medium)))).containsExactly(medium.getBytes(UTF_8));
        List<Lease> many = LongStream.range(0, 1_000).mapToObj(i -> lease(i, medium)).toList();
        assertThat(shown.of(many)).allMatch(one -> one.length < 200);
        assertThat(shown.of(Collections.nCopies(1_000, lease(1, small))))
                .allMatch(one -> new String(one, UTF_8).equals(small));
    }
}
