package dev.mawashi.event;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// A listener that keeps what it hears.
public final class RecordedEvents implements Listener {
    private final List<Event> events = Collections.synchronizedList(new ArrayList<>());

    @Override
    public void on(Event event) {
        events.add(event);
    }

    public List<Event> all() {
        synchronized (events) {
            return List.copyOf(events);
        }
    }

    public <E extends Event> List<E> of(Class<E> kind) {
        return all().stream().filter(kind::isInstance).map(kind::cast).toList();
    }
}
