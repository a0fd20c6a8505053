package dev.mawashi.answer;

import com.sun.management.GarbageCollectionNotificationInfo;
import dev.mawashi.fleet.JvmView;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.openmbean.CompositeData;

/// The last collections of garbage. The JVM reports each once somebody has asked; before that
/// nobody listens, which costs nothing.
///
/// The JVM's own thread adds, the one that answers reads; `last` is guarded by this.
final class GcPauses {
    /// As many as are kept.
    private static final int KEPT = 50;

    private final Deque<JvmView.Pause> last = new ArrayDeque<>();
    private boolean isListening;

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
                new JvmView.Pause(
                        Optional.of(Instant.ofEpochMilli(epochMillis)),
                        info.getGcName(),
                        info.getGcCause(),
                        Duration.ofMillis(info.getGcInfo().getDuration()),
                        used(info.getGcInfo().getMemoryUsageBeforeGc()),
                        used(info.getGcInfo().getMemoryUsageAfterGc())));
        if (last.size() > KEPT) {
            last.removeLast();
        }
    }

    private static long used(Map<String, MemoryUsage> pools) {
        return pools.values().stream().mapToLong(MemoryUsage::getUsed).sum();
    }

    /// The newest first.
    synchronized List<JvmView.Pause> last() {
        return List.copyOf(last);
    }
}
