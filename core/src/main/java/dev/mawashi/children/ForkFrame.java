package dev.mawashi.children;

import dev.mawashi.job.Dialect;
import java.nio.ByteBuffer;
import java.util.List;

/// The frame that has a parent fork a child, or gives the first child its work.
final class ForkFrame {
    private ForkFrame() {}

    /// @param serial the child's number on the wire
    static ByteBuffer of(int serial, ChildPool.Work work) {
        boolean isResque = work.dialect() == Dialect.RESQUE;
        return of(serial, work.kind().letter(), isResque, work.threads());
    }

    /// Of a child that learns later what it runs.
    static ByteBuffer first(int serial) {
        return of(serial, 'S', false, List.of());
    }

    private static ByteBuffer of(int serial, char kind, boolean isResque, List<Integer> threads) {
        ByteBuffer frame =
                Frame.open(FrameKind.FORK, Integer.BYTES + 2 + threads.size() * Integer.BYTES)
                        .putInt(serial)
                        .put((byte) kind)
                        .put((byte) (isResque ? 1 : 0));
        threads.forEach(frame::putInt);
        return frame.flip();
    }
}
