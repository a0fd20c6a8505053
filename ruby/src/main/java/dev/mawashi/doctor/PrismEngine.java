package dev.mawashi.doctor;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.dylibso.chicory.runtime.Memory;
import java.util.EnumSet;
import org.ruby_lang.prism.Loader;
import org.ruby_lang.prism.ParseResult;
import org.ruby_lang.prism.ParsingOptions;
import org.ruby_lang.prism.wasm.Prism;

/// Calls the Prism that JRuby itself uses, at the level of its language, without a JRuby. One
/// thread uses it, and none after an exception.
///
/// Each call into Prism costs a thread of its own, which is more than most files cost to parse. So
/// the buffers are kept from file to file, and written and read as memory: one call per file.
final class PrismEngine extends Prism {
    /// The start of Prism's `pm_buffer_t`, and the place of its last field.
    private static final int BUFFER_LENGTH = 0;

    private static final int BUFFER_VALUE = 8;

    private static final int SOURCE_BYTES = 1 << 18;

    private final int options;
    private final int buffer;
    private int source;
    private int sourceSize = SOURCE_BYTES;

    PrismEngine() {
        byte[] given =
                ParsingOptions.serialize(
                        new byte[0],
                        1,
                        "UTF-8".getBytes(UTF_8),
                        false,
                        EnumSet.noneOf(ParsingOptions.CommandLine.class),
                        ParsingOptions.SyntaxVersion.V4_0,
                        false,
                        false,
                        false,
                        new ParsingOptions.Scope[0]);
        options = exports.malloc(given.length);
        memory().write(options, given);
        buffer = exports.pmBufferNew();
        source = exports.malloc(sourceSize);
    }

    private Memory memory() {
        return exports.memory();
    }

    /// @throws RuntimeException when Prism cannot go on, such as without memory
    ParseResult parse(byte[] ruby) {
        if (ruby.length + 1 > sourceSize) {
            exports.free(source);
            sourceSize = ruby.length + 1;
            source = exports.malloc(sourceSize);
        }
        memory().write(source, ruby, 0, ruby.length);
        memory().writeByte(source + ruby.length, (byte) 0);
        memory().writeI32(buffer + BUFFER_LENGTH, 0);
        exports.pmSerializeParse(buffer, source, ruby.length, options);
        Memory memory = memory();
        return Loader.load(
                memory.readBytes(
                        memory.readInt(buffer + BUFFER_VALUE),
                        memory.readInt(buffer + BUFFER_LENGTH)));
    }
}
