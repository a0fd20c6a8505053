package dev.mawashi.answer;

import com.sun.management.GarbageCollectionNotificationInfo;
import dev.mawashi.wire.Json;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.openmbean.CompositeData;

/// The last collections of garbage. The JVM tells of each once somebody has asked; before that
/// nobody listens, which costs nothing.
///
/// The JVM's own thread adds, the one that answers reads; `last` is guarded by this.
final class GcPauses {
    /// As many as are kept.
    private static final int KEPT = 50;

    private final Deque<Pause> last = new ArrayDeque<>();
    private boolean isListening;

    private record Pause(
            Instant at, String collector, String cause, long millis, long before, long after) {
        String json() {
            return String.format(
                    Locale.ROOT,
                    "{\"at\":\"%s\",\"collector\":%s,\"cause\":%s,\"ms\":%d,\"before\":%d,\"after\":%d}",
                    at,
                    Json.quote(collector),
                    Json.quote(cause),
                    millis,
                    before,
                    after);
        }
    }

    /// Listens from now on.
    synchronized void listen() {
        if (isListening) {
            return;
        }
        isListening = true;
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            if (collector instanceof NotificationEmitter emitter) {
                emitter.addNotificationListener((news, _) -> add(news), null, null);
            }
        }
    }

    private void add(Notification news) {
        String kind = GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION;
        if (news.getType().equals(kind) && news.getUserData() instanceof CompositeData data) {
            add(GarbageCollectionNotificationInfo.from(data), news.getTimeStamp());
        }
    }

    private synchronized void add(GarbageCollectionNotificationInfo info, long epochMillis) {
        last.addFirst(
                new Pause(
                        Instant.ofEpochMilli(epochMillis),
                        info.getGcName(),
                        info.getGcCause(),
                        info.getGcInfo().getDuration(),
                        used(info.getGcInfo().getMemoryUsageBeforeGc()),
                        used(info.getGcInfo().getMemoryUsageAfterGc())));
        if (last.size() > KEPT) {
            last.removeLast();
        }
    }

    private static long used(Map<String, MemoryUsage> pools) {
        return pools.values().stream().mapToLong(MemoryUsage::getUsed).sum();
    }

    /// As a JSON array, the newest first.
    synchronized String json() {
        return last.stream().map(Pause::json).collect(Collectors.joining(",", "[", "]"));
    }
}
