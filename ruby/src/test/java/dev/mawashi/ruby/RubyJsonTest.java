package dev.mawashi.ruby;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.wire.JsonScanner;
import dev.mawashi.wire.MalformedPayload;
import java.math.BigDecimal;
import java.util.HexFormat;
import java.util.Random;
import org.jcodings.specific.UTF8Encoding;
import org.jruby.RubyFloat;
import org.jruby.RubyString;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;
import org.jruby.util.ByteList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// `RubyJson` builds what Ruby's own `JSON.parse` builds, and refuses what that refuses. Where
/// JRuby's differs from MRI's (it refuses lone surrogates and bytes that are no UTF-8, reads -1e999
/// as plus infinity and rounds some decimals to a neighbour) ours follows MRI's, whose clients
/// wrote the payload, in never refusing.
class RubyJsonTest {
    private static final int DOCUMENTS = 20_000;
    private static RubyRuntime ruby;
    private static ThreadContext context;
    private static IRubyObject compare;

    @BeforeAll
    static void bootRuby() {
        ruby = TestRuby.boot(TestRuby.JOBS);
        compare =
                ruby.eval(
                        """
                        require "json"
                        def same(a, b)
                          return false unless a.class == b.class
                          case a
                          when Float then (a.infinite? && b.infinite?) || (a != 0 && (b / a - 1).abs < 1e-15) || [a].pack("D") == [b].pack("D")
                          when String then a.bytes == b.bytes && a.encoding == b.encoding && a.frozen? == b.frozen?
                          when Array then a.size == b.size && a.zip(b).all? { |x, y| same(x, y) }
                          when Hash then same(a.keys, b.keys) && same(a.values, b.values)
                          else a == b
                          end
                        end
                        lambda do |text, built|
                          begin
                            parsed = JSON.parse(text)
                          rescue JSON::ParserError => e
                            next nil if built == :malformed || e.message.include?("partial character")
                            next "refused: #{e.message}, built: #{built.inspect}"
                          end
                          same(parsed, built) ? nil : "parsed: #{parsed.inspect}, built: #{built.inspect}"
                        end
                        """);
        context = compare.getRuntime().getCurrentContext();
    }

    @AfterAll
    static void closeRuby() {
        ruby.close();
    }

    @Test
    void randomDocumentsAreBuiltAsJsonParseBuildsThem() {
        long seed = 20261121;
        Random random = new Random(seed);
        for (int i = 0; i < DOCUMENTS; i++) {
            StringBuilder text = new StringBuilder();
            RandomJson.write(random, text, 4);
            assertThat(difference(text.toString().getBytes(UTF_8)))
                    .as("seed %d, document %d: %s", seed, i, text)
                    .isEmpty();
        }
    }

    @Test
    void damagedDocumentsAreRefusedAsJsonParseRefusesThem() {
        long seed = 4711;
        Random random = new Random(seed);
        for (int i = 0; i < DOCUMENTS; i++) {
            StringBuilder text = new StringBuilder();
            RandomJson.write(random, text, 3);
            RandomJson.damage(random, text);
            assertThat(difference(text.toString().getBytes(UTF_8)))
                    .as("seed %d, document %d: %s", seed, i, text)
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-0",
                "-0.0",
                "0.1",
                "1e999",
                "1e-999",
                "1E400",
                "5e-324",
                "2.2250738585072011e-308",
                "9007199254740993.0",
                "123456789012345678",
                "1234567890123456789",
                "9223372036854775807",
                "9223372036854775808",
                "-9223372036854775808",
                "-9223372036854775809",
                "0.30000000000000004440892098500626",
                "1.7976931348623157e308",
                "1.7976931348623159e308",
                "\"\\ud83d\\ude00\"",
                "\"\\u0000\"",
                "\"\\u00e9\\u20ac\"",
                "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"",
                "{\"a\":1,\"b\":2,\"a\":3}",
                "{\"json_class\":\"String\"}",
                "{\"\\u0061\":1,\"a\":2}",
                "[]",
                "{}",
                " [ 1 , 2 ] "
            })
    void edgesAreBuiltAsJsonParseBuildsThem(String text) {
        assertThat(difference(text.getBytes(UTF_8))).isEmpty();
    }

    @Test
    void aNumberOfHundredThousandDigitsKeepsThemAll() {
        assertThat(difference("7".repeat(100_000).getBytes(UTF_8))).isEmpty();
    }

    @Test
    void bytesThatAreNoUtf8AreKept() {
        byte[] text = {'"', (byte) 0xff, 'a', (byte) 0xc3, '"'};

        assertThat(bytes(text)).isEqualTo(new byte[] {(byte) 0xff, 'a', (byte) 0xc3});
    }

    @ParameterizedTest
    @CsvSource({
        "\\ud83d,eda0bd",
        "\\ude00,edb880",
        "\\ud83dx,eda0bd78",
        "\\ude00\\ud83d,edb880eda0bd",
        "\\ud83d\\ud83d\\ude00,eda0bdf09f9880"
    })
    void aSurrogateWithoutItsPartnerKeepsItsNumber(String escapes, String hex) {
        assertThat(HexFormat.of().formatHex(bytes(("\"" + escapes + "\"").getBytes(UTF_8))))
                .isEqualTo(hex);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "4E+32",
                "0.1",
                "2.2250738585072011e-308",
                "5e-324",
                "1.7976931348623157e308"
            })
    void decimalsAreRoundedCorrectly(String text) {
        assertThat(((RubyFloat) built(text.getBytes(UTF_8))).getValue())
                .isEqualTo(new BigDecimal(text).doubleValue());
    }

    @Test
    void aHugeNegativeNumberIsMinusInfinity() {
        assertThat(built("-1e999".getBytes(UTF_8)).toString()).isEqualTo("-Infinity");
    }

    private static byte[] bytes(byte[] text) {
        return built(text).convertToString().getBytes();
    }

    private static IRubyObject built(byte[] text) {
        JsonScanner scanner = new JsonScanner(text);
        IRubyObject built = new RubyJson(context.runtime).value(context, scanner, text);
        scanner.expectEnd();
        return built;
    }

    private static String difference(byte[] text) {
        IRubyObject built;
        try {
            built = built(text);
        } catch (MalformedPayload _) {
            built = context.runtime.newSymbol("malformed");
        }
        IRubyObject source =
                RubyString.newString(context.runtime, new ByteList(text, UTF8Encoding.INSTANCE));
        IRubyObject answer = compare.callMethod(context, "call", new IRubyObject[] {source, built});
        return answer.isNil() ? "" : answer.asJavaString();
    }
}
