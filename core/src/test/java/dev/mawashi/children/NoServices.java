package dev.mawashi.children;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// A server that takes no notice of what its children print, and that nothing is asked of.
public class NoServices implements ChildServices {
    @Override
    public void wrote(byte[] lines, int length) {}

    @Override
    public void printed(long pid, @Nullable String jid, String line) {}

    @Override
    public List<String> enqueue(List<List<NewJob>> requests) {
        throw new IllegalStateException("nobody enqueues here");
    }

    @Override
    public List<byte[]> iteration(List<byte[]> words) {
        throw new IllegalStateException("nobody iterates here");
    }
}
