package dev.mawashi.broker;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Every place where a job of one queue can be, as the server has it.
interface Places {
    String JID = "\"jid\":\"";

    /// Payloads in the queue, next to run first.
    List<byte[]> queued(String queue);

    List<byte[]> arrived(String queue);

    /// What any owner holds.
    List<Lease> held(String queue);

    default List<byte[]> inFlight(String queue) {
        return held(queue).stream().map(Lease::payload).toList();
    }

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

    /// The jid of each job in flight by its `key`.
    default Map<String, String> inFlightJids(List<String> queues) {
        Map<String, String> jids = new HashMap<>();
        for (String queue : queues) {
            held(queue).forEach(one -> jids.put(key(one), jid(one.payload())));
        }
        return jids;
    }

    /// The payloads of the jobs in each queue, next to run first. One job may stand in two queues
    /// with other bytes in each.
    default Map<String, List<String>> queuedTexts(List<String> queues) {
        Map<String, List<String>> texts = new HashMap<>();
        for (String queue : queues) {
            texts.put(queue, new ArrayList<>(queued(queue).stream().map(Places::text).toList()));
        }
        return texts;
    }

    /// Names a claimed job by queue, owner and token.
    static String key(Lease lease) {
        return lease.queue() + " " + lease.owner() + " " + lease.token();
    }

    private static void note(Map<String, List<String>> found, String place, List<byte[]> payloads) {
        for (byte[] payload : payloads) {
            found.computeIfAbsent(jid(payload), _ -> new ArrayList<>()).add(place);
        }
    }

    static byte[] job(String jid) {
        return ("{\"jid\":\"" + jid + "\"}").getBytes(StandardCharsets.UTF_8);
    }

    static String text(byte[] payload) {
        return new String(payload, StandardCharsets.UTF_8);
    }

    /// A job that is none of `job` is its own jid.
    static String jid(byte[] payload) {
        String text = text(payload);
        int start = text.indexOf(JID);
        int end = start < 0 ? -1 : text.indexOf('"', start + JID.length());
        return end < 0 ? text : text.substring(start + JID.length(), end);
    }
}
