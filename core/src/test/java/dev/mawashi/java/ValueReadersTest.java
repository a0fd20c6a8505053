package dev.mawashi.java;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Method;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// JSON values as values of the types that parameters have.
final class ValueReadersTest {
    private static final BigInteger BEYOND_LONG = new BigInteger("9223372036854775808");

    public record Point(int x, @Nullable String name) {}

    public record Tree(Point root, @Nullable List<Tree> branches) {
        public Tree {
            if (root != null && root.x() < 0) {
                throw new IllegalStateException("x is " + root.x());
            }
        }
    }

    public record Box<T>(T content) {}

    record Hidden(int x) {}

    /// Methods whose one parameter has the type that a case is about.
    @SuppressWarnings({"unused", "UnusedVariable", "UnusedMethod"})
    interface Parameters {
        void aBoolean(boolean value);

        void anInt(int value);

        void aLong(long value);

        void aDouble(double value);

        void boxedBoolean(Boolean value);

        void boxedInt(Integer value);

        void boxedLong(Long value);

        void boxedDouble(Double value);

        void text(String value);

        void bigInteger(BigInteger value);

        void bigDecimal(BigDecimal value);

        void object(Object value);

        void list(@SuppressWarnings("rawtypes") List value);

        void ints(List<Integer> value);

        void anything(List<?> value);

        void texts(List<? extends String> value);

        void map(Map<String, List<Long>> value);

        void point(Point value);

        void tree(Tree value);

        void aFloat(float value);

        void set(Set<String> value);

        void mapByNumber(Map<Integer, String> value);

        void box(Box<String> value);

        void hidden(Hidden value);

        void hiddens(List<Hidden> value);

        void array(int[] value);
    }

    static List<Arguments> scalars() {
        return List.of(
                Arguments.of("aBoolean", "true", true),
                Arguments.of("boxedBoolean", "false", false),
                Arguments.of("anInt", "2147483647", Integer.MAX_VALUE),
                Arguments.of("anInt", "-2147483648", Integer.MIN_VALUE),
                Arguments.of("boxedInt", " 0 ", 0),
                Arguments.of("aLong", "9223372036854775807", Long.MAX_VALUE),
                Arguments.of("boxedLong", "-9223372036854775808", Long.MIN_VALUE),
                Arguments.of("aLong", "3000000000", 3_000_000_000L),
                Arguments.of("aDouble", "2.5", 2.5),
                Arguments.of("aDouble", "-1e3", -1000.0),
                Arguments.of("aDouble", "0.1", 0.1),
                Arguments.of("aDouble", "-0", -0.0),
                Arguments.of("boxedDouble", "9007199254740992", 9007199254740992.0),
                Arguments.of("text", "\"\\u00e9 \\n \\\"終\"", "é \n \"終"),
                Arguments.of("bigInteger", "9223372036854775808", BEYOND_LONG),
                Arguments.of("bigInteger", "7", BigInteger.valueOf(7)),
                Arguments.of("bigDecimal", "0.10", new BigDecimal("0.10")),
                Arguments.of("bigDecimal", "1e400", new BigDecimal("1e400")));
    }

    static List<Arguments> objects() {
        return List.of(
                Arguments.of("object", "\"a\"", "a"),
                Arguments.of("object", "1", 1L),
                Arguments.of("object", "9223372036854775808", BEYOND_LONG),
                Arguments.of("object", "1.0", 1.0),
                Arguments.of("object", "1e400", new BigDecimal("1e400")),
                Arguments.of("object", "true", true),
                Arguments.of(
                        "object",
                        "{\"b\":[1,{}],\"a\":\"x\"}",
                        Map.of("b", List.of(1L, Map.of()), "a", "x")));
    }

    static List<Arguments> structures() {
        return List.of(
                Arguments.of("list", "[1, \"a\", []]", List.of(1L, "a", List.of())),
                Arguments.of("ints", "[ 1 , 2 ]", List.of(1, 2)),
                Arguments.of("ints", "[1,null]", Arrays.asList(1, null)),
                Arguments.of("anything", "[1.5]", List.of(1.5)),
                Arguments.of("texts", "[\"a\"]", List.of("a")),
                Arguments.of("map", "{\"a\":[1],\"a\":[2]}", Map.of("a", List.of(2L))),
                Arguments.of("point", "{\"name\":\"p\",\"x\":1}", new Point(1, "p")),
                Arguments.of("point", "{\"x\":1}", new Point(1, null)),
                Arguments.of(
                        "tree",
                        "{\"root\":{\"x\":1},\"branches\":[{\"root\":{\"x\":2}},null]}",
                        new Tree(
                                new Point(1, null),
                                Arrays.asList(new Tree(new Point(2, null), null), null))));
    }

    @ParameterizedTest
    @MethodSource({"scalars", "objects", "structures"})
    void aValueIsRead(String parameter, String json, Object expected) throws Throwable {
        JsonInput input = input("[" + json + ",\"next\"]");
        assertThat(input.enter('[', ']')).isTrue();

        assertThat(reader(parameter).read(input)).isEqualTo(expected);
        assertThat(input.more(']')).as("it is taken whole").isTrue();
        assertThat(input.takeString()).isEqualTo("next");
    }

    static List<Arguments> mismatches() {
        return List.of(
                Arguments.of("aBoolean", "null", "is null, must be a boolean"),
                Arguments.of("aBoolean", "\"true\"", "is \"true\", must be a boolean"),
                Arguments.of("boxedBoolean", "0", "is 0, must be a boolean"),
                Arguments.of("anInt", "null", "is null, must be an int: a whole number"),
                Arguments.of("anInt", "3000000000", "is 3000000000, must be an int"),
                Arguments.of("anInt", "-2147483649", "is -2147483649, must be an int"),
                Arguments.of("boxedInt", "1.0", "is 1.0, must be an int"),
                Arguments.of("anInt", "1e2", "is 1e2, must be an int"),
                Arguments.of("anInt", "\"1\"", "is \"1\", must be an int"),
                Arguments.of("aLong", "9223372036854775808", "must be a long"),
                Arguments.of("aLong", "\"1\"", "is \"1\", must be a long"),
                Arguments.of("aDouble", "9007199254740993", "must be a number that a double"),
                Arguments.of("aDouble", "1e400", "is 1e400, must be a number that a double"),
                Arguments.of("aDouble", "{}", "is {}, must be a number that a double"),
                Arguments.of("text", "1", "is 1, must be a String"),
                Arguments.of("text", "[\"a\"]", "is [\"a\"], must be a String"),
                Arguments.of("bigInteger", "1.5", "is 1.5, must be a whole number"),
                Arguments.of("bigInteger", "1".repeat(1_001), "at most 1000 characters"),
                Arguments.of("bigDecimal", "1e9999999999", "exponent of an int"),
                Arguments.of("bigDecimal", "true", "is true, must be a number"),
                Arguments.of("list", "{}", "is {}, must be a List"),
                Arguments.of("ints", "[1,2.5]", "element 2 is 2.5, must be an int"),
                Arguments.of("map", "[]", "is [], must be a Map"),
                Arguments.of(
                        "map", "{\"a\":[1,\"x\"]}", "key \"a\", element 2 is \"x\", must be a lo"),
                Arguments.of("point", "1", "is 1, must be an object, for the record"),
                Arguments.of("point", "{\"x\":\"1\"}", "field \"x\" is \"1\", must be an int"),
                Arguments.of("point", "{}", "has no field \"x\", which"),
                Arguments.of("point", "{\"x\":null}", "field \"x\" is null, must be an int"),
                Arguments.of("point", "{\"x\":1,\"y\":2}", "has the field \"y\", which"),
                Arguments.of(
                        "tree",
                        "{\"branches\":[{\"root\":{}}]}",
                        "field \"branches\", element 1, field \"root\" has no field \"x\""));
    }

    @ParameterizedTest
    @MethodSource("mismatches")
    void aValueOfAnotherTypeIsAMismatch(String parameter, String json, String complaint) {
        assertThatThrownBy(() -> reader(parameter).read(input(json)))
                .isInstanceOf(Mismatch.class)
                .hasMessageContaining(complaint);
    }

    @Test
    void nullIsReadWhereThereCanBeOne() throws Throwable {
        for (Method method : Parameters.class.getDeclaredMethods()) {
            Class<?> type = method.getParameterTypes()[0];
            if (!type.isPrimitive() && !UNFIT.contains(method.getName())) {
                assertThat(reader(method.getName()).read(input("null")))
                        .as(type.toString())
                        .isNull();
            }
        }
    }

    private static final Set<String> UNFIT =
            Set.of("aFloat", "set", "mapByNumber", "box", "hidden", "hiddens", "array");

    @Test
    void aTypeThatNoValueCanBeIsRefused() {
        for (String parameter : UNFIT) {
            assertThatThrownBy(() -> reader(parameter))
                    .isInstanceOf(Refusal.class)
                    .hasMessageContaining("has a parameter of type ");
        }
    }

    @Test
    void whatARecordItselfRefusesIsItsOwnError() {
        assertThatThrownBy(() -> reader("tree").read(input("{\"root\":{\"x\":-1}}")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("x is -1");
    }

    @Test
    void aLongValueIsShownInPart() {
        assertThatThrownBy(() -> reader("anInt").read(input("\"" + "x".repeat(1_000) + "\"")))
                .hasMessageMatching(" is \"x{99}\\.\\.\\., must be an int.*");
    }

    private static ValueReader reader(String parameter) {
        Method found =
                Arrays.stream(Parameters.class.getDeclaredMethods())
                        .filter(method -> method.getName().equals(parameter))
                        .findFirst()
                        .orElseThrow();
        return new ValueReaders().of(found.getGenericParameterTypes()[0]);
    }

    private static JsonInput input(String json) {
        return new JsonInput(json.getBytes(StandardCharsets.UTF_8), 0);
    }
}
