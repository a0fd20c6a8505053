package dev.mawashi.cron;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A field of a cron line: its numbers, and the words for these.
enum CronField {
    SECOND("second", 0, 59, ""),
    MINUTE("minute", 0, 59, ""),
    HOUR("hour", 0, 23, ""),
    DAY("day of month", 1, 31, ""),
    MONTH("month", 1, 12, "jan feb mar apr may jun jul aug sep oct nov dec"),
    WEEKDAY("day of week", 0, 6, "sun mon tue wed thu fri sat");

    /// `*`, `5`, `5-9`, `*/5`, `5-9/2`, `5/2` or `/2`.
    private static final Pattern PART =
            Pattern.compile("(?:\\*|(-?[a-z0-9]+)(?:-(-?[a-z0-9]+))?)?(?:/(\\d{1,2}))?");

    private final String label;
    private final int min;
    private final int max;
    private final String words;

    /// @param words the first stands for `min`
    CronField(String label, int min, int max, String words) {
        this.label = label;
        this.min = min;
        this.max = max;
        this.words = words;
    }

    /// The numbers that a list of parts names; null where one of them names all.
    ///
    /// @throws IllegalArgumentException with the reason
    @Nullable BitSet numbers(String text) {
        BitSet numbers = new BitSet();
        boolean isAll = false;
        for (String part : parts(text)) {
            isAll |= add(part, numbers);
        }
        return isAll ? null : numbers;
    }

    /// The parts of a list, in small letters.
    List<String> parts(String text) {
        List<String> parts = new ArrayList<>();
        for (String part : text.toLowerCase(Locale.ROOT).split(",", -1)) {
            if (!part.isEmpty()) {
                parts.add(part);
            }
        }
        if (parts.isEmpty()) {
            throw wrong(text, "names none");
        }
        return parts;
    }

    /// Days that count from the month's end are noted `CronDays.FROM_END` higher.
    ///
    /// @return whether the part names all
    private boolean add(String part, BitSet numbers) {
        Matcher matcher = PART.matcher(part);
        if (part.contains("~")) {
            throw wrong(part, "is a random number, which would differ in each process");
        }
        if (!matcher.matches()) {
            throw wrong(part, "is no number, range or list");
        }
        int step = matcher.group(3) == null ? 1 : Integer.parseInt(matcher.group(3));
        if (step == 0) {
            throw wrong(part, "has a step of 0");
        }
        if (matcher.group(1) == null) {
            range(min, max, step, numbers);
            return this == WEEKDAY ? part.equals("*") : step == 1;
        }
        int from = number(matcher.group(1), part);
        boolean isOne = matcher.group(2) == null && matcher.group(3) == null;
        int to = isOne ? from : end(from, matcher.group(2), part);
        if (from < 0 && to > 0) {
            throw wrong(part, "begins at the month's end and does not end there");
        }
        range(from, to, step, numbers);
        return this != WEEKDAY && from == min && to == max && step == 1;
    }

    /// The end of a range; where none is given the last number, of weekdays the one alone.
    private int end(int from, @Nullable String text, String part) {
        int last = from < 0 ? -1 : max;
        if (text == null) {
            return this == WEEKDAY ? from : last;
        }
        int to = number(text, part);
        return to < 0 && from > 0 ? last : to;
    }

    /// A range that ends before it begins goes on from the first number.
    private void range(int from, int to, int step, BitSet numbers) {
        int low = from < 0 ? -max : min;
        int high = from < 0 ? -1 : max;
        int length = to >= from ? to - from : high - from + 1 + to - low;
        for (int i = 0; i <= length; i += step) {
            int number = from + i;
            numbers.set(place(number > high ? number - (high - low + 1) : number));
        }
    }

    /// Where a number is noted: 24 hours are none, Sunday is 0 and 7.
    private int place(int number) {
        if (number < 0) {
            return number + CronDays.FROM_END;
        }
        return min == 0 ? number % (max + 1) : number;
    }

    /// @param part where it stands, for the error
    int number(String text, String part) {
        int word = List.of(words.split(" ")).indexOf(text);
        if (word >= 0) {
            return word + min;
        }
        if (this == DAY && (text.equals("l") || text.equals("last"))) {
            return -1;
        }
        if (!text.matches("-?\\d{1,2}")) {
            throw wrong(part, "is no number" + (words.isEmpty() ? "" : " or name"));
        }
        int number = Integer.parseInt(text);
        int most = this == HOUR || this == WEEKDAY ? max + 1 : max;
        boolean isInside = number >= min && number <= most;
        if (!isInside && !(this == DAY && number <= -1 && number >= -max)) {
            throw wrong(part, "is out of range: " + min + " to " + most);
        }
        return number;
    }

    IllegalArgumentException wrong(String part, String reason) {
        return new IllegalArgumentException(label + " \"" + part + "\" " + reason);
    }
}
