package dev.mawashi.server;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// The connection between a server and the one that follows it: lines of a word and a text. It ends
/// when one of the two does, however that ends. Sending is safe for any thread, reading is one's.
final class Cord implements AutoCloseable {
    /// Stands for the end of a line within a text.
    private static final char BREAK = '\u0001';

    private final SocketChannel channel;
    private final BufferedReader lines;
    private final BufferedWriter out;

    /// The kinds of lines. The new server sends `READY`, `FAILED`, `WORKS` and `STOP`, the old one
    /// the others.
    enum Kind {
        /// It could claim; its identity.
        READY,
        /// It cannot start; why.
        FAILED,
        /// It has begun to claim, after `GO`.
        WORKS,
        /// It stops, and so the old one is to.
        STOP,
        /// The number of its generation, and how many older ones live.
        GENERATION,
        /// The id of the process that a supervisor knows, 0 where that is the new server itself;
        /// then the folder in which that process looks for the id of the present server.
        GUARDIAN,
        /// How many slots of a capsule older code uses; the capsule's name.
        HELD,
        /// From now on the new server is the one that claims.
        GO,
        /// What a signal to the old one was called.
        SIGNAL
    }

    /// @param text perhaps of several lines
    record Line(Kind kind, String text) {}

    Cord(SocketChannel channel) {
        this.channel = channel;
        lines = new BufferedReader(Channels.newReader(channel, StandardCharsets.UTF_8));
        out = new BufferedWriter(Channels.newWriter(channel, StandardCharsets.UTF_8));
    }

    /// Sends a line.
    ///
    /// @return false when nobody reads it any more
    boolean send(Kind kind, String text) {
        try {
            synchronized (out) {
                out.write(kind + " " + text.replace('\n', BREAK) + "\n");
                out.flush();
            }
            return true;
        } catch (IOException _) {
            return false;
        }
    }

    /// Waits for the next line; null when the other one has ended.
    @Nullable Line next() {
        try {
            String line = lines.readLine();
            if (line == null) {
                return null;
            }
            String[] words = line.split(" ", 2);
            return new Line(Kind.valueOf(words[0]), words[1].replace(BREAK, '\n'));
        } catch (IOException _) {
            return null;
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException _) {
            // It is closed all the same.
        }
    }
}
