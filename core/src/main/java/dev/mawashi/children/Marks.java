package dev.mawashi.children;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/// The memory that a child shares with us, as `mawashi/children/running_marks.rb` lays it out: a
/// row of places for each thread, with the ids of the jobs that it began last. A job that begins
/// takes the next place, and says of the one before whether it ended well.
///
/// Its file is opened when the child is ready and has no name from then on: it can be read whatever
/// happens to the folder, and nothing of it is left behind.
final class Marks implements AutoCloseable {
    private static final int PLACES = 256;

    /// Added to an id: the job in the place before ended well.
    private static final long WELL = 1L << 61;

    private final FileChannel file;

    private Marks(FileChannel file) {
        this.file = file;
    }

    /// Null when the file cannot be read.
    static @Nullable Marks open(Path path) {
        try {
            Marks marks = new Marks(FileChannel.open(path, StandardOpenOption.READ));
            boolean _ = path.toFile().delete();
            return marks;
        } catch (IOException _) {
            return null;
        }
    }

    /// What the child noted last; null when it could not.
    @Nullable Noted read() {
        LongBuffer notes = notes();
        return notes == null ? null : noted(notes);
    }

    /// Every job that stands here, also from long ago; null when it noted none.
    @Nullable Set<Long> ids() {
        LongBuffer notes = notes();
        if (notes == null) {
            return null;
        }
        Set<Long> ids = new HashSet<>();
        while (notes.hasRemaining()) {
            ids.add(notes.get() & ~WELL);
        }
        return ids;
    }

    /// Null when these are no whole rows.
    private @Nullable LongBuffer notes() {
        try {
            ByteBuffer bytes = ByteBuffer.allocate((int) file.size());
            int read = 0;
            while (read >= 0 && bytes.hasRemaining()) {
                read = file.read(bytes, bytes.position());
            }
            LongBuffer notes = bytes.flip().asLongBuffer();
            int places = notes.remaining();
            return places == 0 || places % PLACES != 0 ? null : notes;
        } catch (IOException _) {
            return null;
        }
    }

    @Override
    public void close() {
        try {
            file.close();
        } catch (IOException _) {
            // It is of no more use either way.
        }
    }

    private static Noted noted(LongBuffer notes) {
        int rows = notes.remaining() / PLACES;
        long[] begun = new long[rows];
        LongStream.Builder done = LongStream.builder();
        long[] row = new long[PLACES];
        for (int i = 0; i < rows; i++) {
            notes.get(row);
            begun[i] = latest(row);
            addDone(row, begun[i], done);
        }
        return new Noted(begun, done.build().toArray());
    }

    /// A thread begins jobs in the order of their ids.
    private static long latest(long[] row) {
        long latest = 0;
        for (long note : row) {
            latest = Math.max(latest, note & ~WELL);
        }
        return latest;
    }

    private static void addDone(long[] row, long latest, LongStream.Builder done) {
        for (int i = 0; i < PLACES; i++) {
            long id = row[i] & ~WELL;
            long next = row[(i + 1) % PLACES];
            long nextId = next & ~WELL;
            // Behind the latest is the oldest, or word of the latest that came before another job.
            boolean isOfThis = nextId > id || (nextId == 0 && id == latest);
            if (id != 0 && isOfThis && (next & WELL) != 0) {
                done.add(id);
            }
        }
    }
}
