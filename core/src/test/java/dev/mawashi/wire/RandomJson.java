package dev.mawashi.wire;

import java.util.Random;

/// Makes random JSON documents with odd spacing, numbers and escapes.
final class RandomJson {
    private static final String[] SPACES = {"", "", "", " ", "\n", "\t ", "\r\n"};
    private static final String[] NUMBERS = {
        "0", "-0", "7", "-12", "1.5", "1e5", "-2.50E-10", "9007199254740993", "0.1000"
    };
    private static final String[] CHARACTERS = {
        "a",
        "Z",
        "0",
        " ",
        "\\n",
        "\\\"",
        "\\\\",
        "\\/",
        "\\u00e9",
        "\\uD83D\\uDE00",
        "\u00e9",
        "\ud83d\ude00",
        "{",
        "]",
        ",",
        ":"
    };
    private static final int DEPTH_MAX = 5;

    private RandomJson() {}

    /// An object or an array, so that none of its beginnings is a document.
    static String container(Random random) {
        return random.nextBoolean() ? object(random, 0) : array(random, 0);
    }

    private static String value(Random random, int depth) {
        int kind = random.nextInt(depth < DEPTH_MAX ? 6 : 4);
        return switch (kind) {
            case 0 -> NUMBERS[random.nextInt(NUMBERS.length)];
            case 1, 2 -> string(random);
            case 3 -> random.nextBoolean() ? "null" : String.valueOf(random.nextBoolean());
            case 4 -> object(random, depth);
            default -> array(random, depth);
        };
    }

    private static String object(Random random, int depth) {
        StringBuilder json = new StringBuilder("{").append(space(random));
        for (int i = random.nextInt(4); i > 0; i--) {
            json.append(string(random)).append(space(random)).append(':').append(space(random));
            json.append(value(random, depth + 1)).append(space(random));
            json.append(i > 1 ? "," + space(random) : "");
        }
        return json.append('}').toString();
    }

    private static String array(Random random, int depth) {
        StringBuilder json = new StringBuilder("[").append(space(random));
        for (int i = random.nextInt(4); i > 0; i--) {
            json.append(value(random, depth + 1)).append(space(random));
            json.append(i > 1 ? "," + space(random) : "");
        }
        return json.append(']').toString();
    }

    private static String string(Random random) {
        StringBuilder json = new StringBuilder("\"");
        for (int i = random.nextInt(6); i > 0; i--) {
            json.append(CHARACTERS[random.nextInt(CHARACTERS.length)]);
        }
        return json.append('"').toString();
    }

    private static String space(Random random) {
        return SPACES[random.nextInt(SPACES.length)];
    }
}
