package dev.mawashi.ruby.lines;

import java.util.Arrays;
import org.jcodings.Encoding;
import org.jruby.Ruby;
import org.jruby.RubyFile;
import org.jruby.RubyString;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;
import org.jruby.util.ByteList;
import org.jruby.util.StringSupport;
import org.jruby.util.io.OpenFile;
import org.jruby.util.io.PosixShim;
import org.jspecify.annotations.Nullable;

/// The lines of one open file, one after the other, as MRI's `rb_io_getline` makes them.
///
/// It takes them out of the file's own buffer and keeps nothing between two lines: the block may
/// read, seek or close the file itself, and another way of reading may go on where this one
/// stopped. Every string has an array of its own. Belongs to one thread; the file's lock is held
/// for a line.
final class LineReader {
    /// A read costs some microseconds on JRuby, however little it brings.
    static final int BUFFER_BYTES_MAX = 64 * 1024;

    /// Most bytes by which a limit is exceeded for the rest of a character; more are no character.
    private static final int EXTRA_LIMIT = 16;

    private static final int END = -1;
    private static final int NO_DELIMITER = -2;
    private static final byte[] NONE = {};
    private static final byte[] PARAGRAPH_END = {'\n', '\n'};

    private final ThreadContext context;
    private final RubyFile io;
    private final @Nullable RubyString separator;
    private final int limit;
    private final boolean isChomping;
    private final LongLine longLine = new LongLine();
    private LineEndSearch search = new LineEndSearch('\n');

    private OpenFile file;
    private Encoding encoding;

    /// What ends a line: the last byte, and all of them.
    private int delimiter = NO_DELIMITER;

    private byte[] ending = NONE;
    private int endingStart;
    private int endingLength;

    /// The line so far, in the file's buffer or in an array of its own.
    private byte[] bytes = NONE;

    private int start;
    private int end;
    private boolean isApart;

    /// Bytes that may still come; negative without a limit.
    private int room;

    /// @param separator null for none, empty for paragraphs
    /// @param limit bytes of a line, negative for no limit, not 0
    LineReader(
            ThreadContext context,
            RubyFile io,
            @Nullable RubyString separator,
            int limit,
            boolean isChomping) {
        if (limit == 0) {
            throw new IllegalArgumentException("limit 0");
        }
        this.context = context;
        this.io = io;
        this.separator = separator;
        this.limit = limit;
        this.isChomping = isChomping;
        file = io.getOpenFileChecked();
        encoding = file.readEncoding(context.runtime);
    }

    /// Whether lines of this file are read here: its bytes are the strings' bytes, and ASCII in it
    /// is ASCII. It may change while the file is read.
    static boolean covers(Ruby runtime, OpenFile file) {
        return !file.needsReadConversion() && file.readEncoding(runtime).isAsciiCompatible();
    }

    /// @return the next line; nil at the end of the file; null when the file is no longer covered
    @Nullable IRubyObject next() {
        file = io.getOpenFileChecked();
        boolean isLocked = file.lock();
        try {
            file.checkCharReadable(context);
            if (!covers(context.runtime, file)) {
                return null;
            }
            return line();
        } catch (LineTooLong e) {
            throw context.runtime.newIOError(e.getMessage());
        } finally {
            if (isLocked) {
                file.unlock();
            }
        }
    }

    private IRubyObject line() {
        boolean isParagraph = prepare();
        int extra = EXTRA_LIMIT;
        int chomped = 0;
        boolean counts = true;
        int last;
        while ((last = extend()) != END) {
            if (last == delimiter) {
                int at = end - endingLength;
                // As in MRI, a limit that is reached just here is forgotten for this line.
                if (at < start || !isBoundary(at)) {
                    continue;
                }
                if (isEnding(at)) {
                    chomped = isChomping ? chomped(at) : 0;
                    break;
                }
            }
            if (room == 0) {
                if (extra == 0 || !endsWithinCharacter()) {
                    counts = false;
                    break;
                }
                room = 1;
                extra--;
            }
        }
        if (start == end) {
            return context.nil;
        }
        RubyString line = take(chomped);
        if (isParagraph && last != END) {
            swallowNewlines();
        }
        if (counts) {
            file.incrementLineno(context.runtime, io);
        }
        return line;
    }

    /// @return whether lines are paragraphs
    private boolean prepare() {
        encoding = file.readEncoding(context.runtime);
        boolean isParagraph = readSeparator();
        makeBuffer();
        if (isParagraph) {
            swallowNewlines();
        }
        begin();
        return isParagraph;
    }

    /// Anew for each line, as the block may have changed the string.
    ///
    /// @return whether it stands for paragraphs
    private boolean readSeparator() {
        if (separator == null) {
            delimiter = NO_DELIMITER;
            return false;
        }
        ByteList text = separator.getByteList();
        boolean isParagraph = text.realSize() == 0;
        ending = isParagraph ? PARAGRAPH_END : text.unsafeBytes();
        endingStart = isParagraph ? 0 : text.begin();
        endingLength = isParagraph ? PARAGRAPH_END.length : text.realSize();
        delimiter = Byte.toUnsignedInt(ending[endingStart + endingLength - 1]);
        if (search.wanted() != delimiter) {
            search = new LineEndSearch(delimiter);
        }
        return isParagraph;
    }

    /// Only where there is none: another thread may be reading into one that there is.
    private void makeBuffer() {
        OpenFile.Buffer buffer = file.rbuf;
        if (buffer.ptr != null) {
            return;
        }
        long size = file.posix.size(file.fd());
        buffer.off = 0;
        buffer.len = 0;
        buffer.capa = Math.clamp(size, OpenFile.IO_RBUF_CAPA_MIN, BUFFER_BYTES_MAX);
        buffer.ptr = new byte[buffer.capa];
    }

    private void swallowNewlines() {
        OpenFile.Buffer buffer = file.rbuf;
        do {
            while (buffer.len > 0) {
                if (buffer.ptr[buffer.off] != '\n') {
                    return;
                }
                buffer.off++;
                buffer.len--;
            }
            file.READ_CHECK(context);
        } while (file.fillbuf(context) >= 0);
    }

    private void begin() {
        isApart = false;
        bytes = file.rbuf.ptr;
        start = file.rbuf.off;
        end = start;
        room = limit;
        search.forget();
    }

    /// Lets the line reach to the next delimiter, to its limit, or to the end of the file.
    ///
    /// @return the last byte, or END
    private int extend() {
        OpenFile.Buffer buffer = file.rbuf;
        do {
            int from = isApart ? buffer.off : end;
            int pending = isApart ? buffer.len : buffer.len - (end - start);
            if (pending > 0) {
                int window = room > 0 ? Math.min(room, pending) : pending;
                int found =
                        delimiter == NO_DELIMITER
                                ? -1
                                : search.find(buffer.ptr, from, from + window);
                int count = found < 0 ? window : found + 1 - from;
                add(buffer, from, count);
                room = room > 0 ? room - count : -1;
                if (found >= 0) {
                    return delimiter;
                }
                if (room == 0) {
                    return Byte.toUnsignedInt(bytes[end - 1]);
                }
            }
            setApart(buffer);
            file.READ_CHECK(context);
        } while (fill(buffer));
        return END;
    }

    private void add(OpenFile.Buffer buffer, int from, int count) {
        if (!isApart) {
            end += count;
            return;
        }
        longLine.append(buffer.ptr, from, count);
        buffer.off += count;
        buffer.len -= count;
        bytes = longLine.bytes();
        end = longLine.length();
    }

    /// Before the buffer is filled again.
    private void setApart(OpenFile.Buffer buffer) {
        int count = end - start;
        if (isApart || count == 0) {
            return;
        }
        boolean isWholeFile = delimiter == NO_DELIMITER && limit < 0;
        longLine.begin(isWholeFile ? rest() : count);
        isApart = true;
        start = 0;
        add(buffer, buffer.off, count);
    }

    /// Bytes from the line's begin to the file's end, and one, so that it is seen to be the end.
    private long rest() {
        long size = file.posix.size(file.fd());
        long position = file.posix.lseek(file.fd(), 0, PosixShim.SEEK_CUR);
        return Math.max(size - position, 0) + file.rbuf.len + 1;
    }

    private boolean fill(OpenFile.Buffer buffer) {
        boolean isFilled = file.fillbuf(context) >= 0;
        if (!isApart) {
            bytes = buffer.ptr;
            start = buffer.off;
            end = start;
        }
        return isFilled;
    }

    /// Whether a character begins there, so that it is no part of another one's bytes. In no
    /// encoding is a byte under `0` such a part, and a newline is one of those.
    private boolean isBoundary(int at) {
        return Byte.toUnsignedInt(bytes[at]) < '0'
                || encoding.isSingleByte()
                || encoding.leftAdjustCharHead(bytes, start, at, end) == at;
    }

    private boolean isEnding(int at) {
        return Arrays.equals(bytes, at, end, ending, endingStart, endingStart + endingLength);
    }

    private int chomped(int at) {
        boolean isNewline = endingLength == 1 && delimiter == '\n';
        return isNewline && at > start && bytes[at - 1] == '\r' ? 2 : endingLength;
    }

    private boolean endsWithinCharacter() {
        int head = encoding.prevCharHead(bytes, start, end, end);
        return head != -1
                && StringSupport.MBCLEN_NEEDMORE_P(
                        StringSupport.preciseLength(encoding, bytes, head, end));
    }

    /// Makes a string of the line and takes it out of the buffer.
    private RubyString take(int chomped) {
        int length = end - start - chomped;
        byte[] own;
        if (isApart) {
            own = longLine.handOver(length);
        } else {
            own = Arrays.copyOfRange(bytes, start, start + length);
            file.rbuf.off = end;
            file.rbuf.len -= end - start;
        }
        boolean isAscii = delimiter != NO_DELIMITER && search.hasPassedOnlyAscii();
        return RubyString.newStringNoCopy(
                context.runtime,
                new ByteList(own, 0, length, encoding, false),
                encoding,
                isAscii ? StringSupport.CR_7BIT : StringSupport.CR_UNKNOWN);
    }
}
