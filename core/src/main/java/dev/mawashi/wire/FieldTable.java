package dev.mawashi.wire;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The places of one JSON object's fields in its bytes, in their order.
///
/// A table of offsets and no map, since a server makes one for each job that it sends to a child:
/// names stay bytes, and one that was written without escapes is compared as such.
final class FieldTable {
    /// Up to so many names are compared one by one. Beyond that a set finds twins, or a payload of
    /// many thousands of fields would take minutes.
    private static final int PAIRS_MAX = 32;

    /// Numbers for each field: where its name begins, quote included, inverted if the name holds an
    /// escape; where the name ends; where its value begins and ends.
    private static final int WIDTH = 4;

    private static final int FIRST_FIELDS = 12;

    private final byte[] bytes;
    private int[] places = new int[FIRST_FIELDS * WIDTH];
    private int size;
    private @Nullable Set<String> names;

    FieldTable(byte[] bytes) {
        this.bytes = bytes;
    }

    /// Adds the next field, by offsets; ends are those after the last byte.
    ///
    /// @throws MalformedPayload if there is one of this name
    void add(int nameFrom, int nameTo, boolean isEscaped, int from, int to) {
        if (size * WIDTH == places.length) {
            places = Arrays.copyOf(places, 2 * places.length);
        }
        int at = size * WIDTH;
        places[at] = isEscaped ? ~nameFrom : nameFrom;
        places[at + 1] = nameTo;
        places[at + 2] = from;
        places[at + 3] = to;
        size++;
        if (isTwin(size - 1)) {
            throw new MalformedPayload(
                    "field \"" + name(size - 1) + "\" stands in the payload twice");
        }
    }

    private boolean isTwin(int newest) {
        if (newest < PAIRS_MAX) {
            for (int i = 0; i < newest; i++) {
                if (haveSameName(i, newest)) {
                    return true;
                }
            }
            return false;
        }
        if (names == null) {
            names = new HashSet<>();
            for (int i = 0; i < newest; i++) {
                names.add(name(i));
            }
        }
        return !names.add(name(newest));
    }

    private boolean haveSameName(int one, int other) {
        if (isEscaped(one) || isEscaped(other)) {
            return name(one).equals(name(other));
        }
        return Arrays.equals(
                bytes, nameFrom(one), nameTo(one), bytes, nameFrom(other), nameTo(other));
    }

    int size() {
        return size;
    }

    /// The number of a field, from 0; -1 when there is none of this name.
    int find(String name) {
        for (int i = 0; i < size; i++) {
            if (isNamed(i, name)) {
                return i;
            }
        }
        return -1;
    }

    private boolean isNamed(int field, String name) {
        if (isEscaped(field)) {
            return name(field).equals(name);
        }
        int from = nameFrom(field) + 1;
        int length = nameTo(field) - 1 - from;
        if (length != name.length()) {
            // In UTF-8 a name has at least as many bytes as chars.
            return length > name.length() && name(field).equals(name);
        }
        for (int i = 0; i < length; i++) {
            if (bytes[from + i] != name.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    String name(int field) {
        return Json.unquote(bytes, nameFrom(field), nameTo(field));
    }

    private boolean isEscaped(int field) {
        return places[field * WIDTH] < 0;
    }

    private int nameFrom(int field) {
        int place = places[field * WIDTH];
        return place < 0 ? ~place : place;
    }

    private int nameTo(int field) {
        return places[field * WIDTH + 1];
    }

    /// Where its value begins.
    int from(int field) {
        return places[field * WIDTH + 2];
    }

    /// Where its value ends.
    int to(int field) {
        return places[field * WIDTH + 3];
    }
}
