package dev.mawashi.broker;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Every place where a job of one queue can be, as the server has it.
interface Places {
    /// Payloads in the queue, next to run first.
    List<byte[]> queued(String queue);

    List<byte[]> arrived(String queue);

    /// Payloads that any owner holds.
    List<byte[]> inFlight(String queue);

    /// Payloads that wait to be run alone.
    List<byte[]> suspects(String queue);

    List<byte[]> scheduled(Scheduling.From from);

    List<byte[]> dead();

    /// Where each job is, by its jid; `{"jid":"7"}` is job 7. A job that stands in two places, or
    /// twice in one, is listed with each.
    default Map<String, List<String>> whereabouts(List<String> queues) {
        Map<String, List<String>> found = new TreeMap<>();
        for (String queue : queues) {
            note(found, queue, queued(queue));
            note(found, "arrivals", arrived(queue));
            note(found, "in flight", inFlight(queue));
            note(found, "suspects", suspects(queue));
        }
        note(found, "retry", scheduled(Scheduling.From.RETRY));
        note(found, "schedule", scheduled(Scheduling.From.SCHEDULE));
        note(found, "dead", dead());
        return found;
    }

    private static void note(Map<String, List<String>> found, String place, List<byte[]> payloads) {
        for (byte[] payload : payloads) {
            found.computeIfAbsent(jid(payload), _ -> new ArrayList<>()).add(place);
        }
    }

    static byte[] job(String jid) {
        return ("{\"jid\":\"" + jid + "\"}").getBytes(StandardCharsets.UTF_8);
    }

    static String jid(byte[] payload) {
        Matcher jid =
                Pattern.compile("\"jid\":\"(\\w+)\"")
                        .matcher(new String(payload, StandardCharsets.UTF_8));
        return jid.find() ? jid.group(1) : new String(payload, StandardCharsets.UTF_8);
    }
}
