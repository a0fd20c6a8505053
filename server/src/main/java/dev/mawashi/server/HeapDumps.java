package dev.mawashi.server;

import com.sun.management.HotSpotDiagnosticMXBean;
import dev.mawashi.answer.Answers;
import dev.mawashi.children.Child;
import dev.mawashi.children.ChildHeap;
import dev.mawashi.children.ProcessMemory;
import dev.mawashi.wire.JsonFields;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Locale;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Writes heaps to files of this machine, which this user alone may read. They are never sent
/// anywhere: a heap holds all that the process knows, secrets too. One thread's at a time.
///
/// A file gets its name once it is whole; one that was begun and not ended has `part` in it.
final class HeapDumps {
    private static final System.Logger LOG = System.getLogger(HeapDumps.class.getName());
    private static final long MIB = 1 << 20;

    /// A dump of Ruby's objects is text, some four times as large as they are.
    private static final long TEXT_FACTOR = 4;

    /// A child writes some 30 MB of its heap per second.
    private static final Duration CHILD_PATIENCE = Duration.ofMinutes(5);

    private final Supplier<Path> folder;
    private final InstantSource clock;

    /// @param folder where the files go, made when it is first needed
    HeapDumps(Supplier<Path> folder, InstantSource clock) {
        this.folder = folder;
        this.clock = clock;
    }

    private interface Writing {
        void into(Path file) throws IOException;
    }

    /// What is reachable in this process's Java heap, with all of JRuby.
    ///
    /// @return `file` and `bytes`, as JSON
    /// @throws Answers.Unanswerable when there is no room, or it cannot be written
    String ofJvm() {
        long bytes = Runtime.getRuntime().totalMemory();
        return write("jvm-" + ProcessHandle.current().pid(), ".hprof", bytes, HeapDumps::dumpJvm);
    }

    private static void dumpJvm(Path file) throws IOException {
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                .dumpHeap(file.toString(), true);
    }

    /// The objects of a child of MRI; its jobs stand still meanwhile.
    String of(Child child) {
        long bytes = TEXT_FACTOR * 1_024 * ProcessMemory.kib(child.pid()).orElse(0);
        return write(
                "ruby-" + child.pid(),
                ".json",
                bytes,
                file -> {
                    String problem =
                            ChildHeap.write(child, file, CHILD_PATIENCE)
                                    .orElse("the child did not report in time");
                    if (!problem.isEmpty()) {
                        throw new IOException(problem);
                    }
                });
    }

    private String write(String name, String end, long room, Writing writing) {
        @Nullable Path part = null;
        try {
            Path there = folder.get();
            long free = Files.getFileStore(there).getUsableSpace();
            if (free < room) {
                throw new Answers.Unanswerable(
                        String.format(
                                Locale.ROOT,
                                "%s has %,d MiB free, and the dump may take %,d: make room, or set TMPDIR",
                                there,
                                free / MIB,
                                room / MIB));
            }
            String whole = name + "-" + clock.millis();
            part = there.resolve(whole + ".part" + end);
            writing.into(part);
            Path file = there.resolve(whole + end);
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
            return report(file);
        } catch (IOException | UncheckedIOException | UnsupportedOperationException e) {
            remove(part);
            throw new Answers.Unanswerable("the heap cannot be written: " + e.getMessage());
        }
    }

    private static String report(Path file) throws IOException {
        long bytes = Files.size(file);
        LOG.log(
                System.Logger.Level.INFO,
                String.format(
                        Locale.ROOT,
                        "heap dump: %s, %,d MiB; it holds secrets",
                        file,
                        bytes / MIB));
        return new JsonFields().text("file", file.toString()).number("bytes", bytes).toString();
    }

    private static void remove(@Nullable Path part) {
        try {
            if (part != null) {
                Files.deleteIfExists(part);
            }
        } catch (IOException _) {
            // It has `part` in its name, and the reason above is reported.
        }
    }
}
