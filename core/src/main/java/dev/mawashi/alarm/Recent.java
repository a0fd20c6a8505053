package dev.mawashi.alarm;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/// A figure that only grows, over a span of time until now. One thread's.
final class Recent {
    private final Duration span;
    private final Deque<Point> points = new ArrayDeque<>();

    private record Point(Duration at, long value) {}

    Recent(Duration span) {
        this.span = span;
    }

    /// Takes the newest value, and forgets all that the span does not need.
    void add(Duration at, long value) {
        points.addLast(new Point(at, value));
        Duration from = at.minus(span);
        while (isSecondBefore(from)) {
            points.removeFirst();
        }
    }

    private boolean isSecondBefore(Duration from) {
        return points.size() > 2
                && points.stream().skip(1).findFirst().orElseThrow().at().compareTo(from) <= 0;
    }

    /// By how much it has grown.
    long growth() {
        return points.getLast().value() - points.getFirst().value();
    }

    /// The time that this growth took: the span at least, once it has been that long.
    Duration time() {
        return points.getLast().at().minus(points.getFirst().at());
    }
}
