package dev.mawashi.children;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/// The output of a child, from the moment at which it connects its streams.
final class ChildOutput {
    private final int number;
    private final ChildServices services;
    private final CompletableFuture<Printed> printed = new CompletableFuture<>();

    /// @param number of the child, from 0
    ChildOutput(int number, ChildServices services) {
        this.number = number;
        this.services = services;
    }

    /// The child connects its standard output first, then its standard error, before it does
    /// anything else.
    void connected(boolean isErrors, long pid, Link stream) {
        printed.complete(new Printed(pid, services));
        String name = Integer.toString(number + 1);
        if (isErrors) {
            printed.join().readErrors(name, stream.stream());
        } else {
            printed.join().readOutput(name, stream.stream());
        }
    }

    /// What it printed last, once it has ended.
    List<String> lastLines(Duration patience) {
        Printed reader = printed.getNow(null);
        if (reader == null) {
            return List.of();
        }
        reader.await(patience);
        return reader.last();
    }
}
