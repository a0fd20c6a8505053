package dev.mawashi.children;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/// The memory that a child shares with us, as `mawashi/children/running_marks.rb` lays it out: the
/// jobs that ended well last, then for each thread the job that it began last.
///
/// Its file is opened when the child is ready and has no name from then on: it can be read whatever
/// happens to the folder, and nothing of it is left behind.
final class Marks {
    private static final int DONE_MAX = 1_024;

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

    /// What a child that has ended noted last; null when it could not.
    @Nullable Noted read() {
        try (file) {
            ByteBuffer bytes = ByteBuffer.allocate((int) file.size());
            int read = 0;
            while (read >= 0 && bytes.hasRemaining()) {
                read = file.read(bytes);
            }
            LongBuffer ids = bytes.flip().asLongBuffer();
            if (ids.remaining() <= DONE_MAX) {
                return null;
            }
            long[] done = new long[DONE_MAX];
            long[] begun = new long[ids.remaining() - DONE_MAX];
            ids.get(done).get(begun);
            return new Noted(begun, done);
        } catch (IOException _) {
            return null;
        }
    }
}
