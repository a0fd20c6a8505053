package dev.mawashi.server;

import dev.mawashi.dispatch.Capsule;
import dev.mawashi.dispatch.CapsuleSettings;
import dev.mawashi.fetch.QueueOrder;
import dev.mawashi.ruby.AppSettings;
import java.util.List;
import java.util.stream.Collectors;

/// Makes the capsules that an app wants, and tells of them.
final class Pools {
    private Pools() {}

    /// @throws StartFailure when a capsule cannot be as the app wants it
    static List<Capsule> of(App app, Capsule.Parts parts) {
        return app.settings().capsules().stream().map(pool -> capsule(app, pool, parts)).toList();
    }

    private static Capsule capsule(App app, AppSettings.Pool pool, Capsule.Parts parts) {
        try {
            QueueOrder order = new QueueOrder(pool.queues());
            CapsuleSettings settings = new CapsuleSettings(pool.name(), app.slots(pool), order);
            return new Capsule(settings, app.execution(pool), parts);
        } catch (IllegalArgumentException wrong) {
            throw new StartFailure("capsule \"" + pool.name() + "\": " + wrong.getMessage());
        }
    }

    /// The queues of all capsules, none twice.
    static List<String> queues(List<Capsule> capsules) {
        return capsules.stream()
                .flatMap(capsule -> capsule.settings().queues().names().stream())
                .distinct()
                .toList();
    }

    /// For the log: queues, slots, and names where there are several.
    static String describe(List<Capsule> capsules) {
        return capsules.stream()
                .map(capsule -> describe(capsule.settings(), capsules.size() > 1))
                .collect(Collectors.joining("; "));
    }

    private static String describe(CapsuleSettings capsule, boolean isNamed) {
        QueueOrder order = capsule.queues();
        boolean isStrict = order.mode() == QueueOrder.Mode.STRICT;
        String queues =
                order.weights().entrySet().stream()
                        .map(queue ->
                                isStrict ? queue.getKey() : queue.getKey() + "," + queue.getValue())
                        .collect(Collectors.joining(", "));
        return queues
                + " with "
                + capsule.slots()
                + (capsule.slots() == 1 ? " slot" : " slots")
                + (isNamed ? " (capsule " + capsule.name() + ")" : "");
    }
}
