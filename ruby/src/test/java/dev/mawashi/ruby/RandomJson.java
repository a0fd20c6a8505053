package dev.mawashi.ruby;

import java.util.Random;

/// Writes random JSON that is rich in what parsers get wrong.
final class RandomJson {
    private static final String[] TEXTS = {
        "a",
        "key",
        "\\n",
        "\\u0041",
        "\\ud83d\\ude00",
        "é",
        "漢",
        "😀",
        " ",
        "\\\\",
        "\\\"",
        "\\/",
        "\\u0000",
        "\\u00fF",
        "\u2028",
        "/*",
        "\u007f",
        "{",
        "]"
    };
    private static final String[] SPACES = {"", "", "", " ", "\n", "\t\r"};
    private static final String DAMAGE = "{}[]\",:0-+.eE\\u'/x#\ttn\u0001";

    private RandomJson() {}

    static void write(Random random, StringBuilder text, int depth) {
        space(random, text);
        switch (random.nextInt(depth > 0 ? 9 : 7)) {
            case 0 -> text.append("null");
            case 1 -> text.append(random.nextBoolean());
            case 2, 3 -> string(random, text);
            case 4 -> text.append(random.nextLong() >> random.nextInt(64));
            case 5 -> digits(random, text, 1 + random.nextInt(40));
            case 6 -> decimal(random, text);
            case 7 -> array(random, text, depth);
            default -> object(random, text, depth);
        }
        space(random, text);
    }

    /// Changes, removes or adds one to three characters.
    static void damage(Random random, StringBuilder text) {
        int changes = 1 + random.nextInt(3);
        for (int i = 0; i < changes; i++) {
            int at = random.nextInt(text.length());
            char c = DAMAGE.charAt(random.nextInt(DAMAGE.length()));
            switch (random.nextInt(3)) {
                case 0 -> text.setCharAt(at, c);
                case 1 -> text.insert(at, c);
                default -> text.replace(at, at + 1, " ");
            }
        }
    }

    private static void space(Random random, StringBuilder text) {
        text.append(SPACES[random.nextInt(SPACES.length)]);
    }

    private static void string(Random random, StringBuilder text) {
        text.append('"');
        for (int i = random.nextInt(8); i > 0; i--) {
            text.append(TEXTS[random.nextInt(TEXTS.length)]);
        }
        text.append('"');
    }

    private static void digits(Random random, StringBuilder text, int count) {
        text.append(random.nextBoolean() ? "-" : "").append(1 + random.nextInt(9));
        for (int i = 1; i < count; i++) {
            text.append(random.nextInt(10));
        }
    }

    private static void decimal(Random random, StringBuilder text) {
        switch (random.nextInt(4)) {
            case 0 -> text.append(random.nextDouble());
            case 1 -> text.append(Double.longBitsToDouble(random.nextLong() & ~(1L << 62)));
            case 2 -> {
                digits(random, text, 1 + random.nextInt(20));
                text.append('.').append(random.nextInt(1_000_000));
                text.append("e").append(random.nextInt(700) - 350);
            }
            default -> text.append(random.nextInt(10)).append("E+").append(random.nextInt(320));
        }
    }

    private static void array(Random random, StringBuilder text, int depth) {
        text.append('[');
        int size = random.nextInt(6);
        for (int i = 0; i < size; i++) {
            text.append(i == 0 ? "" : ",");
            write(random, text, depth - 1);
        }
        text.append(']');
    }

    private static void object(Random random, StringBuilder text, int depth) {
        text.append('{');
        int size = random.nextInt(6);
        for (int i = 0; i < size; i++) {
            text.append(i == 0 ? "" : ",");
            space(random, text);
            string(random, text);
            space(random, text);
            text.append(':');
            write(random, text, depth - 1);
        }
        text.append('}');
    }
}
