package dev.mawashi.java;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Readers of text, truth and numbers, and of any JSON value as what it is. A number is never cut:
/// what a type cannot hold is a mismatch.
final class Scalars {
    /// Longest run of digits that is sure to fit a `long`.
    private static final int LONG_DIGITS_MAX = 18;

    /// Making a number of very many digits takes time that grows with their square.
    private static final int NUMBER_CHARS_MAX = 1_000;

    private static final String ANY_NUMBER =
            "must be a number of at most " + NUMBER_CHARS_MAX + " characters";

    private static final String INT =
            "must be an int: a whole number from -2147483648 to 2147483647";
    private static final String LONG =
            "must be a long: a whole number from -9223372036854775808 to 9223372036854775807";
    private static final String DOUBLE = "must be a number that a double can hold";
    private static final String BIG_INTEGER = "must be a whole number";
    private static final String BIG_DECIMAL = "must be a number with an exponent of an int";

    private static final ValueReader LIST = Containers.list(Scalars::any);
    private static final ValueReader MAP = Containers.map(Scalars::any);
    private static final Map<Class<?>, ValueReader> READERS = readers();

    private Scalars() {}

    private static Map<Class<?>, ValueReader> readers() {
        Map<Class<?>, ValueReader> readers = new LinkedHashMap<>();
        readers.put(boolean.class, Scalars::truth);
        readers.put(int.class, Scalars::int32);
        readers.put(long.class, Scalars::int64);
        readers.put(double.class, Scalars::float64);
        readers.put(Boolean.class, ((ValueReader) Scalars::truth).orNull());
        readers.put(Integer.class, ((ValueReader) Scalars::int32).orNull());
        readers.put(Long.class, ((ValueReader) Scalars::int64).orNull());
        readers.put(Double.class, ((ValueReader) Scalars::float64).orNull());
        readers.put(String.class, ((ValueReader) Scalars::text).orNull());
        readers.put(BigInteger.class, ((ValueReader) Scalars::bigInteger).orNull());
        readers.put(BigDecimal.class, ((ValueReader) Scalars::decimal).orNull());
        readers.put(Object.class, Scalars::any);
        return Map.copyOf(readers);
    }

    /// The reader of a type; null when there is none.
    static @Nullable ValueReader of(Class<?> type) {
        return READERS.get(type);
    }

    private static Object text(JsonInput json) {
        if (json.kind() != '"') {
            throw json.mismatch("must be a String");
        }
        return json.takeString();
    }

    private static Object truth(JsonInput json) {
        if (json.kind() != 't' && json.kind() != 'f') {
            throw json.mismatch("must be a boolean");
        }
        return json.takeBoolean();
    }

    private static Object int32(JsonInput json) {
        Number value = whole(json, INT);
        if (value instanceof Long number && number == number.intValue()) {
            return number.intValue();
        }
        throw JsonInput.mismatch(value.toString(), INT);
    }

    private static Object int64(JsonInput json) {
        Number value = whole(json, LONG);
        if (value instanceof Long) {
            return value;
        }
        throw JsonInput.mismatch(value.toString(), LONG);
    }

    private static Object bigInteger(JsonInput json) {
        Number value = whole(json, BIG_INTEGER);
        return value instanceof Long number ? BigInteger.valueOf(number) : value;
    }

    /// A `Long` if it fits, otherwise a `BigInteger`.
    private static Number whole(JsonInput json, String wanted) {
        if (!json.isNumber()) {
            throw json.mismatch(wanted);
        }
        String text = json.takeNumber();
        if (!isWhole(text)) {
            throw JsonInput.mismatch(text, wanted);
        }
        return whole(text);
    }

    private static Number whole(String text) {
        if (text.length() <= LONG_DIGITS_MAX) {
            return Long.parseLong(text);
        }
        BigInteger value = new BigInteger(limited(text));
        return value.bitLength() < Long.SIZE ? (Number) value.longValue() : value;
    }

    private static boolean isWhole(String number) {
        return number.indexOf('.') < 0 && number.indexOf('e') < 0 && number.indexOf('E') < 0;
    }

    private static String limited(String number) {
        if (number.length() > NUMBER_CHARS_MAX) {
            throw JsonInput.mismatch(number, ANY_NUMBER);
        }
        return number;
    }

    /// The nearest, as every reader of JSON does it, for what is written with a point or an
    /// exponent; a whole number must be met exactly.
    private static Object float64(JsonInput json) {
        if (!json.isNumber()) {
            throw json.mismatch(DOUBLE);
        }
        String text = json.takeNumber();
        double value = Double.parseDouble(text);
        boolean isMet =
                !Double.isInfinite(value)
                        && (!isWhole(text) || new BigDecimal(value).compareTo(decimal(text)) == 0);
        if (!isMet) {
            throw JsonInput.mismatch(text, DOUBLE);
        }
        return value;
    }

    private static Object decimal(JsonInput json) {
        if (!json.isNumber()) {
            throw json.mismatch(BIG_DECIMAL);
        }
        return decimal(json.takeNumber());
    }

    private static BigDecimal decimal(String text) {
        try {
            return new BigDecimal(limited(text));
        } catch (NumberFormatException _) {
            // Its exponent is beyond an int.
            throw JsonInput.mismatch(text, BIG_DECIMAL);
        }
    }

    /// What the value is: `String`, `Boolean`, `Long`, `BigInteger`, `Double`, `List`, `Map` or
    /// null.
    private static @Nullable Object any(JsonInput json) throws Throwable {
        return switch (json.kind()) {
            case '"' -> json.takeString();
            case '{' -> MAP.read(json);
            case '[' -> LIST.read(json);
            case 't', 'f' -> json.takeBoolean();
            case 'n' -> nothing(json);
            default -> number(json.takeNumber());
        };
    }

    private static @Nullable Object nothing(JsonInput json) {
        json.takeNull();
        return null;
    }

    private static Object number(String text) {
        if (isWhole(text)) {
            return whole(text);
        }
        double value = Double.parseDouble(text);
        return Double.isInfinite(value) ? decimal(text) : (Object) value;
    }
}
