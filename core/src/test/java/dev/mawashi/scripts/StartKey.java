package dev.mawashi.scripts;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/// A key that a script is called with, its type, and what it holds then.
///
/// @param content members; of a hash field and value, of a sorted set score and member in turn; of
///   a list from the left. Without any there is no such key.
record StartKey(Type type, String name, List<String> content) {
    private static final Pattern NUMBERS = Pattern.compile("\\d+( \\d+)?");

    /// Types of keys, with the command that fills one.
    enum Type {
        STRING("SET", 1),
        LIST("RPUSH", 1),
        SET("SADD", 1),
        HASH("HSET", 2),
        SORTED_SET("ZADD", 2);

        private final String command;
        private final int width;

        Type(String command, int width) {
            this.command = command;
            this.width = width;
        }

        /// A key of this type in which there is no job.
        StartKey odd(String name) {
            return new StartKey(this, name, width == 1 ? List.of("odd") : List.of("1", "odd"));
        }
    }

    StartKey {
        content = List.copyOf(content);
    }

    static StartKey string(String name, String... content) {
        return new StartKey(Type.STRING, name, List.of(content));
    }

    static StartKey list(String name, String... content) {
        return new StartKey(Type.LIST, name, List.of(content));
    }

    static StartKey set(String name, String... content) {
        return new StartKey(Type.SET, name, List.of(content));
    }

    static StartKey hash(String name, String... content) {
        return new StartKey(Type.HASH, name, List.of(content));
    }

    static StartKey sorted(String name, String... content) {
        return new StartKey(Type.SORTED_SET, name, List.of(content));
    }

    /// The same for a script whose left and right are exchanged.
    StartKey mirrored() {
        return type == Type.LIST ? new StartKey(type, name, content.reversed()) : this;
    }

    /// The same with those of its members alone whose text is wanted.
    StartKey only(Predicate<String> wanted) {
        List<String> left = new ArrayList<>();
        for (int i = 0; i < content.size(); i += type.width) {
            List<String> one = content.subList(i, i + type.width);
            if (wanted.test(one.getLast())) {
                left.addAll(one);
            }
        }
        return new StartKey(type, name, left);
    }

    /// The places in `content` of values that are numbers.
    List<Integer> numbers() {
        boolean hasValues = type == Type.HASH || type == Type.STRING;
        return IntStream.range(0, hasValues ? content.size() : 0)
                .filter(at -> at % type.width == type.width - 1)
                .filter(at -> NUMBERS.matcher(content.get(at)).matches())
                .boxed()
                .toList();
    }

    /// The same with another value at a place.
    StartKey with(int place, String value) {
        List<String> other = new ArrayList<>(content);
        other.set(place, value);
        return new StartKey(type, name, other);
    }

    /// The same without the value at a place, and its field.
    StartKey without(int place) {
        List<String> other = new ArrayList<>(content);
        other.subList(place + 1 - type.width, place + 1).clear();
        return new StartKey(type, name, other);
    }

    /// The command that makes it, after it was deleted.
    List<String> command() {
        List<String> command = new ArrayList<>();
        Collections.addAll(command, type.command, name);
        command.addAll(content);
        return command;
    }
}
